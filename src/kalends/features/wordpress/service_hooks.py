"""What the feature answers when a running service calls it."""

from kalends import hooks
from kalends.features.wordpress.pages import view_data
from kalends.features.wordpress.records import recurrences

SERVICE_HOOKS = [
    hooks.around_write.by(recurrences.with_known_recurrence),
    hooks.page_blocks.by(view_data.blocks),
]
