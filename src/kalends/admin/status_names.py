"""What people read of the status of a record."""

from kalends.languages import N_

STATUS_NAMES = {
    "publish": N_("Published"),
    "future": N_("Scheduled"),
    "draft": N_("Draft"),
    "pending": N_("Waiting for review"),
    "private": N_("Private"),
    "trash": N_("In the trash"),
}
