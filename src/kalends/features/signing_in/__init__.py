"""Signing in: the security log. The core knows passwords, sessions and tokens, and tells by the hook `security` what
the log keeps."""

from kalends.feature import Feature
from kalends.languages import N_

SIGNING_IN = Feature(
    name="signing_in",
    tables={"security_event": ("id",)},
    screens="admin:SCREENS",
    tabs={"security": N_("Security")},
    tasks="security_log:register_tasks",
    hooks={"security": "security_log:note"},
)
