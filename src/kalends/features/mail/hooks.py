"""What the feature answers when operations call it."""

from kalends import hooks
from kalends.features.mail import notices, outbox

HOOKS = [
    hooks.changed.by(notices.changed),
    hooks.sends_letters.by(notices.is_set_up),
    hooks.post_letter.by(outbox.post_letter),
]
