"""Short times for a service: after a kill another process goes on within seconds, so many kills hit something."""

from datetime import timedelta

from kalends.calendar.background import background
from kalends.cli import serve
from kalends.features.mail import sending
from kalends.features.webhooks import delivering


def shorten_times() -> None:
    """The workers are forked, so they have them too."""
    background.LEASE = timedelta(seconds=4)
    background.RENEWED_AFTER = 0.5
    delivering.SPACING = timedelta(0)
    delivering.RETRIES = (1.0,) * 1000
    sending.RETRIES = (1.0,) * 1000
    serve.LONGEST_DELAY = 0.25
