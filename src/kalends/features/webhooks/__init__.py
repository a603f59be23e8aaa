"""Webhooks: pages of changes, sent to receivers as they come to be.

A webhook is a place in the journal and nothing else: no row is written to make a message. When something changed
after its place, the work for later (`delivering.py`) reads the page of changes that begins there, notes up to which
change it goes and under which id, sends it, and moves the place when the receiver took it. So messages come in order,
each after the one before it was taken, and every try of one has the same id and never tells more than the first.
"""

from kalends.feature import Feature
from kalends.languages import N_

WEBHOOKS = Feature(
    name="webhooks",
    tables={"webhook": ("id",), "delivery": ("webhook", "n")},
    settings="settings:WebhookSettings",
    addresses="addresses:ADDRESSES",
    errors="errors:ERRORS",
    groups={"webhooks": N_("Webhooks")},
    representations="contract:REPRESENTATIONS",
    schemas="contract:SCHEMAS",
    handlers="api:HANDLERS",
    screens="admin:SCREENS",
    tabs={"webhooks": N_("Webhooks")},
    letters="letters:LETTERS",
    service_hooks="service_hooks:SERVICE_HOOKS",
)
