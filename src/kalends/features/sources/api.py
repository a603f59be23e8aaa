"""Sources, for administrators. Rights are asked in features/sources/rules.py."""

import falcon

from kalends.calendar.access import may_manage_site
from kalends.contract.fields import read_create, read_update
from kalends.features.sources import reading, rules
from kalends.features.sources.addresses import SOURCE_ITEM, SOURCE_READ, SOURCES
from kalends.features.sources.contract import SOURCE, SOURCE_FIELDS, interval_text
from kalends.features.sources.duplicates import api as duplicates_api
from kalends.features.sources.failures import error_of
from kalends.features.sources.rules import LISTS, SourceState
from kalends.http.api.resources import stored_id
from kalends.http.messages import responses
from kalends.http.request_context import context_of
from kalends.http.router import DescribedResource
from kalends.present.managed import Json, filled


def shown(found: SourceState) -> Json:
    """Never with its log-in."""
    source, state = found
    health = {name: getattr(state, name) for name in ("created", "changed", "unchanged", "gone", "held", "kind")}
    return filled(
        SOURCE,
        source,
        **health,
        **{name: source.listed(name) for name in LISTS},
        has_login=bool(source.login),
        every=interval_text(source.every),
        window={"back": source.back, "ahead": source.ahead},
        last_success=state.last_success or None,
        next_run=(state.next_run or None) if source.active else None,
        error=error_of(state.error),
        failing_since=state.failing_since or None,
    )


class SourceResource(DescribedResource):
    """What the handlers of sources have in common."""

    right = staticmethod(may_manage_site)


class Sources(SourceResource):
    """All sources."""

    address = SOURCES

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        found = [shown(one) for one in self.calendar.read(context_of(req).caller, rules.everyone)]
        responses.send(req, resp, {"sources": found, "total": len(found)}, items="sources")

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        reading, caller = read_create(SOURCE_FIELDS, self.body(req)), context_of(req).caller
        reading.problems.raise_any()
        rules.check(caller, reading.values, self.service.settings)
        made = self.calendar.write(caller, rules.create, reading.values)
        resp.set_header("Location", f"{context_of(req).addresses.ns}/sources/{made.source.id}")
        responses.send(req, resp, shown(made), status=201)


class SourceItem(SourceResource):
    """One source."""

    address = SOURCE_ITEM

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        responses.send(req, resp, shown(self.calendar.read(context_of(req).caller, rules.find, stored_id(id))))

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        reading, caller = read_update(SOURCE_FIELDS, self.body(req)), context_of(req).caller
        reading.problems.raise_any()
        self.calendar.read(caller, rules.find, stored_id(id))
        rules.check(caller, reading.values, self.service.settings)
        changed = self.calendar.write(caller, rules.update, stored_id(id), reading.values)
        responses.send(req, resp, shown(changed))

    on_put = on_patch = on_post

    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        removed = self.calendar.write(context_of(req).caller, rules.delete, stored_id(id))
        responses.send(req, resp, shown(removed))


class SourceReading(SourceResource):
    """A source, read at once."""

    address = SOURCE_READ

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        found = reading.read_now(self.calendar, context_of(req).caller, stored_id(id))
        responses.send(req, resp, shown(found))


HANDLERS = (Sources, SourceItem, SourceReading, *duplicates_api.HANDLERS)
