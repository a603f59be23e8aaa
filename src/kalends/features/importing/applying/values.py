"""What a record of a source sends to the calendar: its fields, with ids in place of what it is linked to."""

import re
import secrets
from collections.abc import Mapping, Sequence

import msgspec

from kalends.calendar.access import SERVICE, UnitOfWork
from kalends.calendar.accounts import account_rules, event_passwords, users
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import COMPANIONS, EVENT
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.roles import Role
from kalends.contract.statuses import DRAFT, FUTURE, PRIVATE, PUBLISH
from kalends.features.importing.applying.context import ImportContext
from kalends.features.importing.matching import merging
from kalends.features.importing.records import custom_values
from kalends.features.importing.records.cells import in_words
from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.record import PASSWORD_LEFT_OUT, Record
from kalends.languages import N_
from kalends.store.rows import events as stored_events
from kalends.store.rows import site
from kalends.values.custom_fields import FIELD

# As Kalends makes them; another salt would make every later password fail.
HEX_SALT, HEX_DIGEST = re.compile("[0-9a-f]{32}"), re.compile("[0-9a-f]{64}")
HIDING = {"status": DRAFT, "post_password": PRIVATE}


class RecordValues:
    """The values of one record. `units` are those that are sent; None: all, as a new record needs them."""

    def __init__(self, work: UnitOfWork, context: ImportContext, record: Record) -> None:
        self._work = work
        self._context = context
        self._record = record
        self.unresolved_parent = ""
        self.brings_identity = False  # where it comes from is sent with a change too

    def sent(self, fields: Mapping[str, object], units: Sequence[str] | None = None) -> dict[str, object]:
        """The fields with ids in place of what the record is linked to."""
        record = self._record
        sent: dict[str, object] = dict(fields)
        for name, refs in record.links.items():
            if units is None or name in units:
                kind = LINKED_KINDS[name].name
                found = [self._context.resolver.id_of(self._work.session, kind, ref) for ref in refs]
                sent[name] = [id for id in found if id is not None]
                if None in found and not self._context.options.dry_run and units is None:
                    missing = N_("{field}: {count} of {total} are not here")
                    record.notes.append(ImportMessage(missing, field=name, count=found.count(None), total=len(found)))
        if units is None and self._context.options.as_drafts:
            self._make_draft(sent)
        if FIELD in sent:
            defined = self._work.settings.custom_fields
            sent[FIELD] = custom_values.values_for(
                record, defined, self._context.custom, is_tried=self._context.options.dry_run
            )
        if record.kind is EVENT and units is None:
            custom_values.report_missing(record, self._work.settings.custom_fields, sent.get(FIELD))
        parent = merging.parent_field(record)
        if record.parent is not None and (units is None or parent in units):
            sent[parent] = self.parent_id() or 0
        if units is None or self.brings_identity:
            sent |= {"source": record.ref.source, "external_id": record.ref.external_id}
            author = self._author() if record.author and not self._record.kind.is_term else None
            if author is not None:
                sent["author"] = author
        return sent

    def _make_draft(self, sent: dict[str, object]) -> None:
        """A new event is a draft, and what it shows becomes public with it."""
        if self._record.kind is EVENT and sent.get("status", PUBLISH) in (PUBLISH, FUTURE):
            sent["status"] = DRAFT
        elif self._record.kind in COMPANIONS and sent.get("status") == PUBLISH:
            del sent["status"]

    def _author(self) -> int | None:
        name, options = self._record.author, self._context.options
        if name not in self._context.users and options.create_users and not options.dry_run:
            password = secrets.token_urlsafe(24)  # that nobody knows
            try:
                # Whoever runs the command asks for it, and not the author of what is imported.
                as_service = msgspec.structs.replace(self._work, caller=SERVICE)
                user = users.add_user(as_service, name, Role.AUTHOR.word, password)
            except account_rules.BadUser:
                return None
            self._context.users[name] = user.id
        if name not in self._context.users:
            self._context.unknown_authors.add(name)
        return self._context.users.get(name)

    def stored(self, fields: Mapping[str, object], units: Sequence[str] | None = None) -> Values:
        """Values that are stored already when the record is written: its image, and the digest of a password."""
        record, values = self._record, Values()
        if not self._record.kind.is_term and record.covers_image and (units is None or "image" in units):
            values["image"] = None if record.image is None else self._context.images.get(record.image.key)
        if record.password is not None and (units is None or "password" in units):
            digest = self._password()
            if digest is None:
                record.notes.append(ImportMessage(PASSWORD_LEFT_OUT))
                values["status"] = PRIVATE
            else:
                values["password"] = digest
        return values

    def _password(self) -> bytes | None:
        """The digest of an event's password, if this calendar has the salt that it was made with, or none in use."""
        assert self._record.password is not None
        salt, digest = self._record.password
        if not (HEX_SALT.fullmatch(salt) and HEX_DIGEST.fullmatch(digest)):
            return None
        session = self._work.session
        if site.read(session, event_passwords.SALT_KEY) != salt:
            if stored_events.any_password(session):
                return None
            if not self._context.options.dry_run:
                site.write(session, event_passwords.SALT_KEY, salt)
        return bytes.fromhex(digest)

    def parent_id(self) -> int | None:
        parent = self._record.parent
        if parent is None:
            return None
        id = self._context.resolver.id_of(self._work.session, self._record.kind.name, parent)
        self.unresolved_parent = "" if id is not None else parent.external_id
        return id

    def drop_bad_optional(self, reading: Reading) -> None:
        """A bad web address does not keep an event out; a bad date does. What would have hidden a record keeps it
        from being public."""
        needed = {field.name for field in self._record.kind.fields if field.required}
        for name, problem in list(reading.problems.by_name.items()):
            if name in needed:
                continue
            del reading.problems.by_name[name]
            self._record.notes.append(
                ImportMessage(N_("left out: {what}"), what=in_words(name, problem, self._record.cells))
            )
            if name in HIDING:
                reading.values["status"] = HIDING[name]
