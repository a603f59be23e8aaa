"""What the tests of features add to what the core's tests walk over: modules of one name in their folders.

The core's tests name no feature. A walk over operations, ways out or examples asks here for those of the features
that are there: `tests/features/<name>/ways_out.py` adds to `tests/calendar/access/ways_out.py`.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType

from kalends.feature import features

FOLDER = Path(__file__).parent / "features"


def feature_parts(name: str) -> list[ModuleType]:
    """The modules of a name, in the order of the features."""
    return [
        import_module(f"tests.features.{feature.name}.{name}")
        for feature in features()
        if (FOLDER / feature.name / f"{name}.py").exists()
    ]
