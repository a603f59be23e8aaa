"""Mail: messages as rows that are written with their cause, and sent later by one process of one node."""

from kalends.feature import Feature
from kalends.languages import N_

MAIL = Feature(
    name="mail",
    tables={
        "mail": ("id",),
        "refusing_address": ("address_key",),
        "follow": ("id",),
        "announcement": ("event", "rev"),
    },
    settings="settings:MailSettings",
    screens="screens:SCREENS",
    tabs={"mail": N_("Mail"), "followers": N_("Followers")},
    commands={"mail": "commands:mail"},
    letters="letters:LETTERS",
    hooks="hooks:HOOKS",
    service_hooks="service_hooks:SERVICE_HOOKS",
)
