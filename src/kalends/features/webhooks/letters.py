"""Tells those who run the site that nothing could be delivered to a webhook for a day."""

from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.roles import Role
from kalends.features.mail import letter_kinds as kinds
from kalends.features.mail import outbox
from kalends.store.rows import users


def tell(work: UnitOfWork, address: str, since: str, reason: str, path: str) -> None:
    """`since`: the first failure, in UTC; `path`: the screen that shows the webhook. To be called once for each day
    that it fails, in the transaction that notes the failure."""
    facts = {"address": address, "since": since, "reason": reason, "path": path}
    for user in users.all_users(work.session):
        is_wanted = kinds.WEBHOOK_FAILED not in user.mail_off.split()
        if user.role == Role.ADMINISTRATOR.word and not user.disabled and is_wanted:
            outbox.put(work, kinds.WEBHOOK_FAILED, user.email, user.language, facts, user=user.id)
