"""What the feature answers when a running service calls it."""

from kalends import hooks
from kalends.features.changes import idempotency, idempotency_keys

SERVICE_HOOKS = [
    hooks.around_write.by(idempotency_keys.repeatable),
    hooks.register_tasks.by(idempotency.register_tasks),
]
