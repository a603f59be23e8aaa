"""The work for later of signing in."""

from kalends.calendar.service import Calendar
from kalends.features.signing_in import oidc_provider, security_log


def register_tasks(calendar: Calendar) -> None:
    security_log.register_tasks(calendar)
    oidc_provider.register_tasks(calendar)
