"""What the feature answers when a running service calls it."""

from kalends import hooks
from kalends.features.assistants import api

SERVICE_HOOKS = [
    hooks.add_routes.by(api.add_routes),
]
