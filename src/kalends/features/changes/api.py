"""Tells what has changed since a token."""

import falcon

from kalends.contract.fields import Values, read_query
from kalends.features.changes import json, polling
from kalends.features.changes.addresses import CHANGES
from kalends.features.changes.batch_api import BatchHandler
from kalends.features.changes.contract import CHANGES_PARAMETERS, USUAL_CHANGES
from kalends.features.changes.pages import ALL_KINDS, Wanted
from kalends.http.cache.cached_responses import FOREVER
from kalends.http.messages.parameters import from_query
from kalends.http.request_context import context_of, keep_until
from kalends.http.router import DescribedResource


class Changes(DescribedResource):
    """A page of changes, for whoever asks."""

    address = CHANGES

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        reading = read_query(CHANGES_PARAMETERS, from_query(req.query_string))
        reading.problems.raise_any()
        values, caller = reading.values, context_of(req).caller
        since = None if values.get("since") is None else str(values["since"])
        calendar, context = self.service.calendar, self.service.render_context(req)
        seconds = int(str(values.get("wait", 0)))
        if seconds:
            page, epoch = polling.wait_for_changes(calendar, caller, since, wanted(values), context, seconds)
        else:
            page, epoch = polling.read_changes(calendar, caller, since, wanted(values), context)
            if since is not None and not page.entries:  # what most who ask are answered, until something is new
                keep_until(req, FOREVER)
        self.service.send_read(req, resp, json.page(page, epoch), secret=bool(seconds))


def wanted(values: Values) -> Wanted:
    """What a client asks for."""
    kinds = values.get("kinds")
    return Wanted(
        kinds=frozenset(map(str, kinds)) if isinstance(kinds, list) else ALL_KINDS,
        limit=int(str(values.get("limit", USUAL_CHANGES))),
        has_records=bool(values.get("include")),
        shows_events=bool(values.get("expand")),
    )


HANDLERS = (Changes, BatchHandler)
