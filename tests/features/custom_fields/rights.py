"""Who may say what custom fields there are: for tests/calendar/access/test_rights_without_a_record.py."""

from collections.abc import Callable
from functools import partial

from tests.calendar.access.operations_stage import Cases

from kalends.calendar.access import Caller
from kalends.calendar.service import Calendar
from kalends.contract.fields import read_create, read_update
from kalends.contract.roles import Role
from kalends.features.custom_fields import rules as custom_fields
from kalends.features.custom_fields.contract import DEFINITION_FIELDS

DOORS = {"label": "Doors open"}
DEFINING: dict[str, Callable[[Calendar, Caller], object]] = {
    "custom_value_counts": lambda c, who: c.read(who, custom_fields.counts),
    "create_custom_field": lambda c, who: c.write(who, custom_fields.create, read_create(DEFINITION_FIELDS, DOORS)),
    "update_custom_field": lambda c, who: c.write(
        who, custom_fields.change, "_ecp_custom_1", read_update(DEFINITION_FIELDS, {"label": "Doors"})
    ),
    "move_custom_field": lambda c, who: c.write(who, custom_fields.move, "_ecp_custom_1", 1),
    "delete_custom_field": lambda c, who: custom_fields.delete_in_parts(c, who, "_ecp_custom_1", force=True),
}


def cases(calendar: Calendar, caller: Caller, role: Role) -> Cases:
    def with_a_definition(act: Callable[[Calendar, Caller], object]) -> object:
        administrator = Caller(1, "somebody", Role.ADMINISTRATOR)
        calendar.write(administrator, custom_fields.create, read_create(DEFINITION_FIELDS, DOORS))
        return act(calendar, caller)

    return {name: (partial(with_a_definition, act), role is Role.ADMINISTRATOR) for name, act in DEFINING.items()}
