"""What the feature answers when a running service calls it."""

from kalends import hooks
from kalends.features.demo import commands

SERVICE_HOOKS = [
    hooks.fill_with_samples.by(commands.fill_if_empty),
]
