"""What the feature answers when operations call it."""

from kalends import hooks
from kalends.features.custom_fields import applying

HOOKS = [
    hooks.apply_fields.by(applying.apply_fields),
    hooks.apply_filters.by(applying.apply_filters),
]
