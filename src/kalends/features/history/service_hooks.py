"""What the feature answers when a running service calls it."""

from kalends import hooks
from kalends.features.history import admin

SERVICE_HOOKS = [
    hooks.record_blocks.by(admin.record_blocks),
]
