"""What the feature answers when operations call it."""

from kalends import hooks
from kalends.features.sources import rules

HOOKS = [
    hooks.person_removed.by(rules.hand_over),
]
