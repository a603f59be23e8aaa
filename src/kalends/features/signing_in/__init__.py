"""Signing in beyond passwords: the security log, the second factor, and the provider of an organization.

The core knows passwords, sessions and tokens. It asks here whether a right password is enough (`after_password`),
lets the feature answer in place of a session (`second_step`) or of a screen (`before_screen`), and tells what the
log keeps (`security`).
"""

from kalends.feature import Feature
from kalends.languages import N_

SIGNING_IN = Feature(
    name="signing_in",
    tables={
        "security_event": ("id",),
        "totp": ("user",),
        "recovery_code": ("user", "digest"),
        "passkey": ("id",),
        "confirmation": ("session",),
        "oidc_provider": ("issuer",),
        "oidc_identity": ("issuer", "subject"),
        "oidc_session": ("session",),
        "used_once": ("digest",),
    },
    settings="settings:SigningInSettings",
    errors="errors:ERRORS",
    screens="admin:SCREENS",
    tabs={"security": N_("Security")},
    letters="letters:LETTERS",
    commands={"user reset-factors": "commands:reset_factors"},
    hooks="hooks:HOOKS",
    service_hooks="service_hooks:SERVICE_HOOKS",
)
