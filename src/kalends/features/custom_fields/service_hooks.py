"""What the feature answers when a running service calls it."""

from kalends import hooks
from kalends.features.custom_fields import page_blocks, rules

SERVICE_HOOKS = [
    hooks.page_blocks.by(page_blocks.blocks),
    hooks.register_tasks.by(rules.register_tasks),
]
