"""Mail: messages as rows that are written with their cause, and sent later by one process of one node."""

from kalends.feature import Feature

MAIL = Feature(
    name="mail",
    tables={"mail": ("id",), "refusing_address": ("address_key",), "follow": ("id",)},
    routes="following:add_routes",
    screens="admin:SCREENS",
    tasks="letters.work:register_tasks",
    commands={"mail": "commands:mail"},
)
