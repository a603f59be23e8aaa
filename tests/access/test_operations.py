"""Every operation that something outside of `calendar/` calls is known here, and walked over by the tests of rights
(test_rights_of_operations.py, test_rights_without_a_record.py), unless it is for anybody, reads, or belongs to the
service."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import kalends

SOURCE = Path(kalends.__file__).parent


# What changes something and is walked over there, or where it is said, by module and function.
WALKED = {
    *(
        "calendar.single_records.create_post",
        "calendar.single_records.create_events",
        "calendar.single_records.update_post",
        "calendar.single_records.copy_event",
    ),
    *(
        "calendar.single_records.delete_post",
        "calendar.posts.merging.merge_in_parts",
        "features.history.restoring.restore",
        "calendar.editing.review.decide",
    ),
    *(
        "calendar.posts.terms.create_counted",
        "calendar.posts.terms.update_counted",
        "calendar.posts.terms.delete_counted",
    ),
    *(
        "calendar.series.single_dates.set_date",
        "calendar.series.single_dates.set_state",
        "calendar.editing.bulk.change_events",
        "calendar.editing.bulk.undo_changes",
    ),
    *(
        "calendar.editing.trash.delete_from_trash",
        "calendar.editing.trash.restore_from_trash",
        "calendar.editing.trash.empty_trash",
    ),
    *(
        "features.custom_fields.rules.create",
        "features.custom_fields.rules.change",
        "features.custom_fields.rules.move",
    ),
    *(
        "features.custom_fields.rules.delete_in_parts",
        "calendar.images.uploading.store_image",
        "calendar.images.image_store.delete_in_parts",
    ),
    *("calendar.images.image_store.delete_unused", "calendar.site_settings.change"),
    *(
        "features.mail.outbox.send_test",
        "features.mail.outbox.accept_again",
        "features.mail.following.rules.forget_address",
    ),
    *("calendar.background.task_overview.run_again", "features.webhooks.rules.create"),
    "calendar.series.rejoining.rejoin",  # tests/admin/test_series_split.py
    "calendar.editing.review.take_back",  # tests/admin/test_review_conversation.py
    *(
        "calendar.accounts.users.hand_over_in_parts",
        "calendar.accounts.users.remove_in_parts",
    ),  # tests/access/test_many_records.py
    *("calendar.accounts.users.add_user", "calendar.accounts.users.change_user"),  # tests/access/test_users.py
    *(
        "calendar.accounts.credentials.add_token",
        "calendar.accounts.credentials.revoke_token",
    ),  # tests/access/test_users.py
    *("calendar.images.image_store.change", "calendar.images.image_store.describe"),  # tests/media
    *(
        "features.webhooks.rules.update",
        "features.webhooks.rules.delete",
        "features.webhooks.rules.rotate",
    ),  # tests/features/webhooks
    *("features.webhooks.rules.resend", "features.webhooks.rules.test"),
    *(
        "features.sources.rules.create",
        "features.sources.rules.update",
        "features.sources.rules.delete",
        "features.sources.reading.read_now",
        "features.sources.previews.preview_of",
        "features.sources.duplicates.answers.answer",
        "features.sources.duplicates.answers.take_back",
    ),  # tests/features/sources
    "calendar.posts.merging.undo_in_parts",  # tests/admin/test_merging.py
}


# By anybody; what is sent waits for review or for a confirmation: tests/admin/test_review.py, tests/features/mail.
FOR_ANYBODY = {
    "calendar.editing.submissions.submit_event",
    "features.mail.following.rules.ask",
    "features.mail.following.rules.change_rhythm",
    "features.mail.following.rules.confirm",
    "features.mail.following.rules.end",
}


FOR_ANYBODY |= {"features.mail.following.rules.confirm_sender"}


# They answer with what the caller can see: the visibility rule and the hunts for leaks are about them.
READS = {
    *(
        "calendar.single_records.read_post",
        "calendar.single_records.view_event",
        "features.changes.polling.read_changes",
        "features.changes.polling.wait_for_changes",
    ),
    *(
        "calendar.lists.exports.open_with_password",
        "calendar.lists.exports.export_events",
        "calendar.lists.exports.feed_events",
    ),
    *("calendar.lists.joined_fragments.read_page", "calendar.lists.joined_fragments.read_record"),
    *("calendar.posts.protected_events.digest_for_list", "calendar.posts.protected_events.read_with_password"),
    "calendar.posts.protected_events.remembered_password",
    *(
        "features.webhooks.journal_pages.of",
        "features.webhooks.journal_pages.position_of",
        "features.webhooks.journal_pages.token_of",
    ),
}


# What the service does by itself, for who signs in, or before and after what is walked over.
OF_THE_SERVICE = {
    "calendar.accounts.credentials.record_refusal",
    *("features.sources.duplicates.looking.note", "features.sources.duplicates.looking.look_on"),
    *(
        "calendar.accounts.forgotten_password.ask",
        "calendar.accounts.forgotten_password.forgotten_passwords",
        "calendar.accounts.email_address.ask",
    ),
    *(
        "calendar.accounts.sessions.accept_link",
        "calendar.accounts.sessions.change_password",
        "calendar.accounts.sessions.find",
    ),
    *(
        "calendar.accounts.sessions.sign_in",
        "calendar.background.forgetting.kinds",
        "features.changes.idempotency.register_tasks",
        "features.consistency.checking.repair",
    ),
    *(
        "calendar.series.zone_rules.renew_all",
        "features.mail.notices.review_lists",
    ),
    *(
        "features.mail.following.digests.digests",
        "features.mail.following.lists.listed",
        "features.mail.following.news.event_news",
        "features.mail.sending.sending",
    ),
    *(
        "calendar.single_records.drop_fetched",
        "calendar.single_records.fetching_only",
        "features.changes.idempotency.Repetition",
    ),
    *("calendar.series.filling.work_for_later",),
    *(
        "calendar.background.long_work.perform",
        "calendar.background.long_work.run_parts",
        "calendar.background.long_work.Continuation",
    ),
    "features.webhooks.delivering.Deliveries",
    *("features.sources.reading.Reader", "features.sources.reading.is_under_way"),
    *("features.sources.remote.readers.reader_of", "features.sources.remote.readers.site_of"),
    *("features.sources.one_read.SourceRead", "features.sources.reading.read_and_wait"),
    "features.mail.tasks.register_tasks",
}


# Where operations are that have to be walked over. The other features only call these.
WITH_OPERATIONS = (
    "kalends.calendar",
    *(f"kalends.features.{name}" for name in ("changes", "custom_fields", "history", "mail", "sources", "webhooks")),
)


def operations_of(path: Path) -> Iterator[str]:
    """What a module outside of `calendar/` has `calendar.write` call, and which functions of a calendar it calls."""
    text = path.read_text()
    if not any(package in text for package in WITH_OPERATIONS):
        return
    tree, named = ast.parse(text), dict[str, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(WITH_OPERATIONS):
            named |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = ast.unparse(node.func)
        if called.endswith("calendar.write"):
            called = ast.unparse(node.args[1])
        elif not ast.unparse(node.args[0]).endswith("calendar") or called.endswith(".kind"):
            continue  # or it is a kind of work for later
        first, *rest = called.split(".")
        if first in named:
            yield ".".join([named[first], *rest]).removeprefix("kalends.")


def test_every_change_is_walked_over() -> None:
    found = {
        operation
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).parts[0] != "calendar"
        for operation in operations_of(path)
    }
    assert len(found) > 60
    known = WALKED | FOR_ANYBODY | READS | OF_THE_SERVICE
    assert found - known == set(), "add them to the walk"
    for name in known:
        module, _, function = name.rpartition(".")
        assert hasattr(importlib.import_module(f"kalends.{module}"), function), f"{name} is gone"
