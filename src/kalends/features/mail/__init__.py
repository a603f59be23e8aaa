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
    routes="following.pages:add_routes",
    screens="screens:SCREENS",
    tabs={"mail": N_("Mail"), "followers": N_("Followers")},
    tasks="tasks:register_tasks",
    commands={"mail": "commands:mail"},
    letters="letters:LETTERS",
    sends_letters="notices:is_set_up",
    hooks={
        "changed": "notices:changed",
        "post_letter": "outbox:post_letter",
        "page_links": "following.pages:page_links",
    },
)
