"""What the feature answers when a running service calls it."""

from kalends import hooks
from kalends.features.importing import tasks

SERVICE_HOOKS = [
    hooks.register_tasks.by(tasks.register_tasks),
]
