"""What the feature answers when a running service calls it."""

from kalends import hooks
from kalends.features.signing_in import confirming, factor_screens, second_step, tasks

SERVICE_HOOKS = [
    hooks.register_tasks.by(tasks.register_tasks),
    hooks.around_write.by(confirming.with_confirmation),
    hooks.before_screen.by(confirming.before_screen),
    hooks.ways_to_sign_in.by(factor_screens.ways_to_sign_in),
    hooks.second_step.by(second_step.ask),
]
