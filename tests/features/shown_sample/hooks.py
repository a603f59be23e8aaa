"""What the feature answers when operations call it."""

from kalends.features.shown_sample import rows, showing

from kalends import hooks

HOOKS = [
    hooks.more_of.by(showing.more_of),
    hooks.clock_changes.by(rows.clock_changes),
    hooks.apply_filters.by(showing.apply_filters),
]
