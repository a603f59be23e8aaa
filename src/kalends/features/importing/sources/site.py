"""Reads everything from a running calendar: a WordPress site with The Events Calendar, or another Kalends."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any
from urllib.parse import urlsplit

import xxhash

from kalends.contract.kinds import CATEGORY, COMPANIONS, EVENT, TAG, TERMS, Kind
from kalends.contract.statuses import LIVE_STATUSES
from kalends.features.importing.records import custom_values
from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.record import (
    PASSWORD_LEFT_OUT,
    Item,
    SourceDefinition,
    SourceError,
    Unreadable,
    number_in,
)
from kalends.features.importing.sources import wordpress
from kalends.features.importing.sources.discovery import BAD_CREDENTIALS, ApiRoot, find_api
from kalends.features.importing.sources.files import source_name
from kalends.features.importing.sources.site_records import SiteRecords
from kalends.features.importing.sources.web_addresses import without_secrets
from kalends.features.importing.sources.web_client import (
    BadRequest,
    Forbidden,
    NotFound,
    Unusable,
    WebClient,
    WebError,
)
from kalends.languages import N_

WORDPRESS = "wp/v2"  # the namespace of its own interface
PER_PAGE = 50  # the most that the plugin gives
EVERY_STATUS = ",".join(LIVE_STATUSES)
UNPUBLISHED = ("draft", "pending", "private", "future")
MOST_PAGES = 20_000
EVER = "1900-01-01 00:00:00", "9999-12-31 23:59:59"
STAGES: Sequence[Kind] = (*TERMS, *COMPANIONS, EVENT)

NO_NUMBER = N_("its id is no number that can be kept")
NO_ROUTE = "rest_no_route"  # the interface itself is away
HIDDEN = ("-no-longer-available", "-not-accessible", "-password-protected")  # ends of codes

Json = dict[str, Any]


class Unclear(Exception):
    """The site did not say whether it has a record."""


class RemoteSite:
    """A calendar elsewhere. Its lists are read page by page, in pages that this side counts: links to the next page
    lose filters on some sites."""

    def __init__(
        self, address: str, client: WebClient, zone: str, name: str = "", window: tuple[str, str] = EVER
    ) -> None:
        self._window = window
        self.label = without_secrets(address)
        self.name = name
        self.remarks: Sequence[str] = ()
        self.lost: Mapping[str, int] = {}
        self._address = address
        self._client = client
        self._zone = zone
        self._root = ApiRoot("")
        self._is_open = True  # everybody may read its events
        self._brought: set[tuple[str, int]] = set()
        self._masked: dict[int, bool] = {}  # of the anonymous list, as far as it was read
        self._anonymous_pages = self._pages(EVENT, 1, lambda id: id not in self._masked, anonymous=True)
        self.short_lists: set[str] = set()  # which have fewer pages than they count
        self.has_drafts = client.has_credentials  # whether what is not public could be read

    def prepare(self) -> int | None:
        self._root, self._is_open = find_api(self._client, self._address)
        self.name = source_name(self.name or wordpress.source_of(self._root.home))
        self._zone = self._zone_of_site() or self._zone
        if self._client.has_credentials:
            self._check_credentials()
        total = 0
        for kind in STAGES:
            found = self._page(kind, 1)
            total += number_in(found.get("total")) if found is not None else 0
        what = "Kalends" if self._root.is_kalends else "The Events Calendar"
        public, everything = (
            N_("{program} at {address}, what is public"),
            N_("{program} at {address}, with credentials"),
        )
        sentence = everything if self._client.has_credentials else public
        self.remarks = [ImportMessage(sentence, program=what, address=self._root.url.partition("?")[0])]
        return total

    @property
    def sources(self) -> Set[str]:
        return {self.name}

    @property
    def first_page(self) -> str:
        """The address of the beginning of the list of events."""
        days = dict(zip(("start_date", "end_date"), self._window, strict=True))
        return self._root.address(EVENT.plural, per_page=PER_PAGE, page=1, **days)

    @property
    def host(self) -> str:
        return urlsplit(self._root.url).hostname or ""

    @property
    def fingerprint(self) -> str:
        # What a page has depends on what the user sees. The name itself is not kept.
        reader = xxhash.xxh3_64_hexdigest(self._client.user.encode()) if self._client.has_credentials else "public"
        return f"{self._root.url} {reader}"

    def items(self, start: str) -> Iterator[Item]:
        """`start` is a kind and the last page of it that was imported."""
        reached, _, last = start.partition(" ")
        stages = list(STAGES)
        if reached:
            stages = stages[[kind.name for kind in stages].index(reached) :]
        records = SiteRecords(self.name, self._zone)
        yield from self._definitions(records, start)
        for kind in stages:
            first = int(last) if kind.name == reached and last.isdigit() else 0
            yield from self._stage(kind, first + 1, records)
        if self._client.has_credentials:
            yield from self._unlisted(records)

    def _definitions(self, records: SiteRecords, position: str) -> Iterator[Item]:
        """The custom fields of another Kalends, as far as the user may read them: events tell their values alone."""
        found = self._json_if_any(self._root.address("custom-fields")) if self._root.is_kalends else None
        listed = found.get("custom_fields") if isinstance(found, dict) else None
        for json in listed if isinstance(listed, list) else ():
            if isinstance(json, dict) and (key := str(json.get("key") or "")):
                records.defined[key] = custom_values.wanted(self.name, key, json)
                yield SourceDefinition(records.defined[key], position)

    def _stage(self, kind: Kind, first: int, records: SiteRecords) -> Iterator[Item]:
        for number, found in self._pages(kind, first, lambda id: (kind.name, id) not in self._brought):
            for place, entry in enumerate(found, 1):
                # The page is done with its last record.
                position = f"{kind.name} {number if place == len(found) else number - 1}"
                where = ImportMessage(N_("page {page}, record {number}"), page=number, number=place)
                yield from self._items(kind, entry, where, position, records)

    def _items(self, kind: Kind, entry: Json, where: str, position: str, records: SiteRecords) -> Iterator[Item]:
        id = number_in(entry.get("id"))
        if not id:
            reason = ImportMessage(NO_NUMBER if entry.get("id") else N_("it has no id"))
            yield Unreadable(kind, where, str(entry.get(kind.name_field, "")), reason, position)
            return
        if (kind.name, id) in self._brought:
            return
        if kind is EVENT:
            for linked, inner in records.embedded(entry):
                if (linked.name, number_in(inner.get("id"))) not in self._brought:
                    yield from self._items(linked, inner, where, position, records)
        self._brought.add((kind.name, id))
        if kind is EVENT and _is_masked(entry):
            reason = ImportMessage(N_("it is protected by a password; import with credentials to have it"))
            yield Unreadable(kind, where, str(entry.get("title", "")), reason, position)
            return
        record = records.record(kind, entry, where)
        if kind is EVENT and self._is_protected(id, entry):
            record.fields["status"] = "private"
            record.notes.append(ImportMessage(PASSWORD_LEFT_OUT))
        record.position = position
        yield record

    # Records that the lists do not have

    def ask(self, kind: Kind, id: int) -> list[Item] | None:
        """A record that was in no list, asked for by itself: None if the site says that it is gone or no longer
        public, and the record if it is there, since lists move while they are read. Raises Unclear."""
        status, found = self._client.once(self._root.address(f"{kind.plural}/{id}"))
        if not isinstance(found, dict):
            raise Unclear
        code = str(found.get("code"))
        if (status in (404, 410) and code != NO_ROUTE) or (status == 403 and code.endswith(HIDDEN)):
            return None
        if status != 200 or number_in(found.get("id")) != id:
            raise Unclear
        if wordpress.is_gone(found.get("status")):
            return None
        where = ImportMessage(N_("{kind} {id}"), kind=kind.name, id=id)
        self._brought.discard((kind.name, id))
        return list(self._items(kind, found, where, "", SiteRecords(self.name, self._zone)))

    # Pages

    def _pages(
        self, kind: Kind, first: int, is_new: Callable[[int], bool], *, anonymous: bool = False
    ) -> Iterator[tuple[int, list[Json]]]:
        """The entries of a list, page by page, with the numbers of the pages."""
        counted = 0  # pages, by the site
        for number in range(first, MOST_PAGES):
            page = self._page(kind, number, anonymous=anonymous) or {}
            found = _entries(page, kind)
            has_more = any(is_new(id) for id in _ids(found))
            yield number, found
            if not has_more:  # the end; some sites do not count pages, and begin again
                if number <= counted and not anonymous:
                    self.short_lists.add(kind.plural)
                return
            counted = number_in(page.get("total_pages"))
            if 0 < counted <= number:
                return

    def _page(self, kind: Kind, number: int, *, anonymous: bool = False) -> Json | None:
        """A page of a list; None after the last one. A page that stays unreadable ends the import, to go on later."""
        parameters: dict[str, object] = {"per_page": PER_PAGE, "page": number}
        if kind is EVENT:
            parameters |= dict(zip(("start_date", "end_date"), self._window, strict=True))
        if kind is CATEGORY or (kind is TAG and self._root.is_kalends):
            parameters["hide_empty"] = 0  # the tags of WordPress are also those of its other posts
        if self._client.has_credentials and not anonymous and not kind.is_term:
            parameters["status"] = EVERY_STATUS
            if kind is EVENT and self._root.is_kalends:
                parameters["show_hidden"] = "true"
        try:
            return self._fetch(self._root.address(kind.plural, **parameters), anonymous=anonymous)
        except BadRequest:
            if "status" not in parameters:
                sentence = N_("{site} does not take the parameters of its list of {kind}")
                raise SourceError(sentence, site=self.label, kind=kind.plural) from None
            del parameters["status"]
            self.has_drafts = False
            return self._fetch(self._root.address(kind.plural, **parameters), anonymous=anonymous)

    def _fetch(self, url: str, *, anonymous: bool = False) -> Json | None:
        try:
            found = self._json(url, anonymous=anonymous)
        except NotFound:
            return None
        except Forbidden:
            sentence = N_("{site} refuses its list: are the credentials right, and allowed to read?")
            raise SourceError(sentence, site=self.label) from None
        return found if isinstance(found, dict) else None

    def _json_if_any(self, url: str) -> Any:
        """What is at an address; None if nothing is, or if the user has no right to it."""
        try:
            return self._json(url)
        except WebError:
            return None

    def _json(self, url: str, *, anonymous: bool = False) -> Any:
        """What is at an address. What cannot be read now ends the import: it is not gone."""
        try:
            return self._client.json(url, anonymous=anonymous)
        except Unusable as unusable:
            raise SourceError("{site}: {reason}", site=self.label, reason=unusable.message) from None

    # With credentials

    def _check_credentials(self) -> None:
        """Wrong credentials are told before anything is imported."""
        try:
            self._client.json(self._root.address("events", per_page=1, status="draft"))
        except Forbidden:
            raise SourceError(BAD_CREDENTIALS, site=self.label) from None
        except WebError:
            return

    def _is_protected(self, id: int, entry: Json) -> bool:
        """Whether an event has a password, which would be lost here: an editor sees what it hides. Without
        credentials, the event is masked."""
        if not self._client.has_credentials or entry.get("status", "publish") not in ("publish", "future"):
            return False
        if entry.get("status") == "future" or not self._is_open:  # nobody else sees it
            return self._has_password(id)
        if not entry.get("hide_from_listings") and (is_masked := self._is_masked_in_list(id)) is not None:
            return is_masked
        try:
            found = self._json(self._root.address(f"events/{id}"), anonymous=True)
        except Forbidden:
            return True
        except (NotFound, BadRequest):
            return self._has_password(id)
        return isinstance(found, dict) and _is_masked(found)

    def _is_masked_in_list(self, id: int) -> bool | None:
        """None if the anonymous list leaves it out. That list has the same order, so it is read as far as the other
        one."""
        while id not in self._masked and (page := next(self._anonymous_pages, None)) is not None:
            self._masked |= {number_in(entry.get("id")): _is_masked(entry) for entry in page[1]}
        return self._masked.get(id)

    def _has_password(self, id: int) -> bool:
        address = self._root.sibling(WORDPRESS).address(f"tribe_events/{id}", context="edit", _fields="content")
        found = self._json_if_any(address)
        content = found.get("content") if isinstance(found, dict) else None
        return isinstance(content, dict) and content.get("protected") is True

    def _unlisted(self, records: SiteRecords) -> Iterator[Item]:
        """Drafts and others that the list leaves out, found through the interface of WordPress itself."""
        if self._root.is_kalends:  # its list leaves out nothing
            return
        posts, lists = self._root.sibling(WORDPRESS), 0
        for status in UNPUBLISHED:
            for number in range(1, MOST_PAGES):
                found = self._json_if_any(
                    posts.address(
                        "tribe_events", status=status, per_page=100, page=number, context="edit", _fields="id"
                    )
                )
                lists += number == 1 and isinstance(found, list)
                if not isinstance(found, list) or not found:
                    break
                for entry in found:
                    id = number_in(entry.get("id")) if isinstance(entry, dict) else 0
                    if id and (EVENT.name, id) not in self._brought:
                        yield from self._single(id, records)
                if len(found) < 100:
                    break
        self.has_drafts = lists == len(UNPUBLISHED)

    def _single(self, id: int, records: SiteRecords) -> Iterator[Item]:
        entry = self._json_if_any(self._root.address(f"events/{id}"))
        if isinstance(entry, dict):
            yield from self._items(EVENT, entry, ImportMessage(N_("event {id}"), id=id), "", records)

    def _zone_of_site(self) -> str:
        """The time zone of the site, for events that have none."""
        index = self._root.url.replace(f"{wordpress.NAMESPACE}/", "") if not self._root.is_kalends else ""
        if not index:
            return ""
        try:
            found = self._client.json(index, anonymous=self._is_open)
        except (WebError, SourceError):
            return ""
        zone = found.get("timezone_string") or "" if isinstance(found, dict) else ""
        return wordpress.zone_of(zone, "") if zone else ""


def _entries(page: Json, kind: Kind) -> list[Json]:
    listed = page.get(kind.plural)
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []


def _ids(entries: Sequence[Json]) -> list[int]:
    return [id for entry in entries if (id := number_in(entry.get("id")))]


def _is_masked(entry: Json) -> bool:
    """Whether a password hides the fields of an event."""
    return "all_day" in entry and entry["all_day"] is None
