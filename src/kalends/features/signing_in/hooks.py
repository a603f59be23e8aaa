"""What the feature answers when operations call it."""

from kalends import hooks
from kalends.features.signing_in import factors, security_log

HOOKS = [
    hooks.security.by(security_log.note),
    hooks.refused.by(security_log.note_refusal),
    hooks.after_password.by(factors.after_password),
]
