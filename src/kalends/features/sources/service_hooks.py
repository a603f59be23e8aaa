"""What the feature answers when a running service calls it."""

from kalends import hooks
from kalends.features.sources import event_fields, tasks

SERVICE_HOOKS = [
    hooks.register_tasks.by(tasks.register_tasks),
    hooks.record_blocks.by(event_fields.record_blocks),
]
