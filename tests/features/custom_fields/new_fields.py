"""What `test_adding_a_field.py` runs of custom fields in a copy of the sources that has more fields."""

from tests.conftest import World
from tests.contract.new_fields import DETAILS, NEW, PAGE, json_ld_of
from tests.features.custom_fields.fields import define

DOORS = {"@type": "PropertyValue", "propertyID": "doors", "name": "Doors", "value": "18:30"}


def test_json_ld_lists_what_people_have_defined_after_them(world: World) -> None:
    made, key = world.make("events", title="Ball", **NEW), define(world, "Doors")["key"]
    for values, expected in (({key: "18:30"}, [*DETAILS, DOORS]), ({"dress_code": "", "step_free": False}, [DOORS])):
        world.put(f"/events/{made['id']}", json=values)
        assert world.read("events", made["id"])["json_ld"]["additionalProperty"] == expected
        assert world.get(f"/events/{made['id']}").json()["json_ld"]["additionalProperty"] == expected
        assert json_ld_of(world.get(PAGE).text)["additionalProperty"] == expected
