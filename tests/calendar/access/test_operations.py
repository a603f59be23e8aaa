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
    "calendar.single_records.create_record",
    "calendar.single_records.create_events",
    "calendar.single_records.update_post",
    "calendar.single_records.copy_event",
    "calendar.single_records.delete_post",
    "calendar.posts.merging.merge_in_parts",
    "calendar.editing.review.decide",
    "calendar.posts.terms.create_counted",
    "calendar.posts.terms.update_counted",
    "calendar.posts.terms.delete_counted",
    "calendar.series.single_dates.set_date",
    "calendar.series.single_dates.set_state",
    "calendar.editing.bulk.change_events",
    "calendar.editing.bulk.undo_changes",
    "calendar.editing.trash.delete_from_trash",
    "calendar.editing.trash.restore_from_trash",
    "calendar.editing.trash.empty_trash",
    "calendar.images.uploading.store_image",
    "calendar.images.image_store.delete_in_parts",
    "calendar.images.image_store.delete_unused",
    "calendar.site_settings.change",
    "calendar.background.task_overview.run_again",
    "calendar.series.rejoining.rejoin",  # tests/admin/test_series_split.py
    "calendar.editing.review.take_back",  # tests/admin/test_review_conversation.py
    "calendar.accounts.users.hand_over_in_parts",  # tests/calendar/access/test_many_records.py
    "calendar.accounts.users.remove_in_parts",  # tests/calendar/access/test_many_records.py
    "calendar.accounts.users.add_user",  # tests/calendar/access/test_users.py
    "calendar.accounts.users.change_user",  # tests/calendar/access/test_users.py
    "calendar.accounts.credentials.add_token",  # tests/calendar/access/test_users.py
    "calendar.accounts.credentials.revoke_token",  # tests/calendar/access/test_users.py
    "calendar.images.image_store.change",  # tests/calendar/images
    "calendar.images.image_store.describe",  # tests/calendar/images
    "calendar.posts.merging.undo_in_parts",  # tests/admin/test_merging.py
}


# By anybody; what is sent waits for review: tests/admin/test_review.py.
FOR_ANYBODY = {
    "calendar.editing.submissions.submit_event",
}


# They answer with what the caller can see: the visibility rule and the hunts for leaks are about them.
READS = {
    "calendar.single_records.read_post",
    "calendar.single_records.view_event",
    "calendar.lists.exports.open_with_password",
    "calendar.lists.exports.export_events",
    "calendar.lists.exports.feed_events",
    "calendar.lists.joined_fragments.read_page",
    "calendar.lists.joined_fragments.read_record",
    "calendar.posts.protected_events.digest_for_list",
    "calendar.posts.protected_events.read_with_password",
    "calendar.posts.protected_events.remembered_password",
}


# What the service does by itself, for who signs in, or before and after what is walked over.
OF_THE_SERVICE = {
    "calendar.accounts.credentials.record_refusal",
    "calendar.accounts.forgotten_password.ask",
    "calendar.accounts.forgotten_password.forgotten_passwords",
    "calendar.accounts.email_address.ask",
    "calendar.accounts.sessions.accept_link",
    "calendar.accounts.sessions.change_password",
    "calendar.accounts.sessions.find",
    "calendar.accounts.sessions.sign_in",
    "calendar.background.forgetting.kinds",
    "calendar.series.zone_rules.renew_all",
    "calendar.single_records.drop_fetched",
    "calendar.single_records.fetching_only",
    "calendar.series.filling.work_for_later",
    "calendar.background.long_work.perform",
    "calendar.background.long_work.run_parts",
    "calendar.background.long_work.Continuation",
}


def operations_of(path: Path, packages: tuple[str, ...]) -> Iterator[str]:
    """What a module outside of `calendar/` has `calendar.write` call, and which functions of a calendar it calls."""
    text = path.read_text()
    if not any(package in text for package in packages):
        return
    tree, named = ast.parse(text), dict[str, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(packages):
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


def operations_in(*packages: str) -> set[str]:
    """The operations in some packages that something outside of `calendar/` calls."""
    return {
        operation
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).parts[0] != "calendar"
        for operation in operations_of(path, packages)
    }


def exists(operation: str) -> bool:
    module, _, function = operation.rpartition(".")
    return hasattr(importlib.import_module(f"kalends.{module}"), function)


def test_every_change_is_walked_over() -> None:
    found = operations_in("kalends.calendar")
    assert len(found) > 40
    known = WALKED | FOR_ANYBODY | READS | OF_THE_SERVICE
    assert found - known == set(), "add them to the walk"
    assert [name for name in known if not exists(name)] == []
