"""Every operation of features that something outside of them calls is known here, and walked over by the tests of
rights (`rights.py` in the folders beside this), unless it is for anybody, reads, or belongs to the service."""

from tests.calendar.access.test_operations import exists, operations_in

from kalends.feature import features

# What changes something and is walked over there, or where it is said, by module and function.
WALKED = {
    "features.history.restoring.restore",
    "features.custom_fields.rules.create",
    "features.custom_fields.rules.change",
    "features.custom_fields.rules.move",
    "features.custom_fields.rules.delete_in_parts",
    "features.mail.outbox.send_test",
    "features.mail.outbox.accept_again",
    "features.mail.following.rules.forget_address",
    "features.webhooks.rules.create",
    "features.webhooks.rules.update",  # tests/features/webhooks
    "features.webhooks.rules.delete",  # tests/features/webhooks
    "features.webhooks.rules.rotate",  # tests/features/webhooks
    "features.webhooks.rules.resend",
    "features.webhooks.rules.test",
    "features.sources.rules.create",  # tests/features/sources
    "features.sources.rules.update",  # tests/features/sources
    "features.sources.rules.delete",  # tests/features/sources
    "features.sources.reading.read_now",  # tests/features/sources
    "features.sources.previews.preview_of",  # tests/features/sources
    "features.sources.duplicates.answers.answer",  # tests/features/sources
    "features.sources.duplicates.answers.take_back",  # tests/features/sources
}
# By anybody; what is sent waits for a confirmation: tests/features/mail.
FOR_ANYBODY = {
    "features.mail.following.rules.ask",
    "features.mail.following.rules.change_rhythm",
    "features.mail.following.rules.confirm",
    "features.mail.following.rules.end",
    "features.mail.following.rules.confirm_sender",
}
# They answer with what the caller can see: the visibility rule and the hunts for leaks are about them.
READS = {
    "features.changes.polling.read_changes",
    "features.changes.polling.wait_for_changes",
    "features.webhooks.journal_pages.of",
    "features.webhooks.journal_pages.position_of",
    "features.webhooks.journal_pages.token_of",
}
# What the service does by itself, or before and after what is walked over.
OF_THE_SERVICE = {
    "features.sources.duplicates.looking.note",
    "features.sources.duplicates.looking.look_on",
    "features.changes.idempotency.register_tasks",
    "features.consistency.checking.repair",
    "features.mail.notices.review_lists",
    "features.mail.following.digests.digests",
    "features.mail.following.lists.listed",
    "features.mail.following.news.event_news",
    "features.mail.sending.sending",
    "features.changes.idempotency.Repetition",
    "features.webhooks.delivering.Deliveries",
    "features.sources.reading.SourceReader",
    "features.sources.reading.is_under_way",
    "features.sources.remote.readers.reader_of",
    "features.sources.remote.readers.site_of",
    "features.sources.one_read.SourceRead",
    "features.sources.reading.read_and_wait",
    "features.mail.tasks.register_tasks",
}
# Where operations are that have to be walked over. The other features only call these.
WITH_OPERATIONS = ("changes", "custom_fields", "history", "mail", "sources", "webhooks")


def test_every_change_is_walked_over() -> None:
    there = {feature.name for feature in features()}
    found = operations_in(*(f"kalends.features.{name}" for name in WITH_OPERATIONS if name in there))
    known = WALKED | FOR_ANYBODY | READS | OF_THE_SERVICE
    assert found - known == set(), "add them to the walk"
    assert [name for name in known if name.split(".")[1] in there and not exists(name)] == []
