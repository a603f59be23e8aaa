"""What the feature answers when a running service calls it."""

from kalends import hooks
from kalends.features.custom_fields import rules

SERVICE_HOOKS = [
    hooks.register_tasks.by(rules.register_tasks),
]
