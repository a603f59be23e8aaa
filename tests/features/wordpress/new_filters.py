"""What `test_adding_a_filter.py` runs of WordPress' Filter Bar in a copy of the sources that has two more filters."""

from tests.conftest import World
from tests.contract.new_filters import listed, shown
from tests.contract.new_filters import world as world


def test_filter_bar_of_wordpress_has_them(world: World) -> None:
    assert listed(shown(world, "tribe_sticky=1")) == ["Apples"]
    assert listed(shown(world, "tribe_initial%5B0%5D=b&tribe_initial%5B1%5D=n")) == ["Bread", "Nuts"]
