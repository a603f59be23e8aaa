"""What the feature answers when a running service calls it."""

from kalends import hooks
from kalends.features.geocoding import asking

SERVICE_HOOKS = [
    hooks.locator.by(asking.locator),
]
