"""What the feature answers when operations call it."""

from kalends import hooks
from kalends.features.importing import brought, rows
from kalends.features.importing.matching import identities

HOOKS = [
    hooks.former_ids.by(identities.former_ids),
    hooks.identities.by(rows.identities),
    hooks.named_events.by(brought.named_events),
]
