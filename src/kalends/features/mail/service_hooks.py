"""What the feature answers when a running service calls it."""

from kalends import hooks
from kalends.features.mail import tasks
from kalends.features.mail.following import pages

SERVICE_HOOKS = [
    hooks.register_tasks.by(tasks.register_tasks),
    hooks.add_routes.by(pages.add_routes),
    hooks.page_links.by(pages.page_links),
]
