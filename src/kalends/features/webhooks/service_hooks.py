"""What the feature answers when a running service calls it."""

from kalends import hooks
from kalends.features.webhooks import journal_pages

SERVICE_HOOKS = [
    hooks.register_tasks.by(journal_pages.register_tasks),
]
