"""What has changed since a token, and batches of writes."""

from typing import cast

import falcon

from kalends.calendar.access import require
from kalends.contract.errors import OUT_OF_BOUNDS, FieldError, Problems
from kalends.contract.fields import Values, read_create, read_query
from kalends.features.changes import json, polling
from kalends.features.changes.addresses import BATCH, CHANGES, MOST, MOST_ATOMIC, ItemRequest, foreign
from kalends.features.changes.batches import Batch, BatchItem, send
from kalends.features.changes.contract import CHANGES_PARAMETERS, USUAL_CHANGES
from kalends.features.changes.pages import ALL_KINDS, WantedChanges
from kalends.http.cache.cached_responses import FOREVER
from kalends.http.messages import bodies, responses
from kalends.http.messages.parameters import from_query
from kalends.http.request_context import context_of, keep_until
from kalends.http.router import DescribedResource
from kalends.languages import N_


class BatchHandler(DescribedResource):
    """Several writes of the interface in one request, all or nothing or each alone."""

    address = BATCH
    is_batch = True

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller = context_of(req).caller
        require(not caller.is_anonymous, caller)
        reading = read_create(BATCH.operations[0].parameters, bodies.read(req, self.service.settings.max_body))
        reading.problems.raise_any()
        sent = cast("list[ItemRequest]", reading.values["requests"])
        is_atomic = reading.values.get("atomic", True)
        if is_atomic and len(sent) > MOST_ATOMIC:
            too_many = N_("must be 1 to {maximum} requests in an atomic batch, and up to {most} with atomic: false.")
            problem = FieldError(OUT_OF_BOUNDS, too_many, maximum=MOST_ATOMIC, most=MOST)
            Problems({"requests": problem}).raise_any()
        batch = Batch(self.service, req)
        items = self._items(req, batch, sent)
        batch.count(len(items))
        if is_atomic:
            answers = batch.run_together(items)
            if answers is None:
                answers = batch.others(items, len(batch.answers) - 1)
        else:
            answers = batch.run_each(items)
        send(req, resp, answers)

    def _items(self, req: falcon.Request, batch: Batch, sent: list[ItemRequest]) -> list[BatchItem]:
        """Nothing is done unless all of them are writes below the address of this one."""
        root, items = req.path.removesuffix(BATCH.pattern), []
        for place, one in enumerate(sent):
            item = batch.item(root, one)
            if item is None:
                Problems({"requests": foreign(place, one.path)}).raise_any()
            else:
                items.append(item)
        return items


class Changes(DescribedResource):
    """A page of changes, for whoever asks."""

    address = CHANGES

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        reading = read_query(CHANGES_PARAMETERS, from_query(req.query_string))
        reading.problems.raise_any()
        values, caller = reading.values, context_of(req).caller
        since = None if values.get("since") is None else str(values["since"])
        calendar, context = self.service.calendar, context_of(req).render_context
        seconds = int(str(values.get("wait", 0)))
        if seconds:
            page, epoch = polling.wait_for_changes(calendar, caller, since, wanted(values), context, seconds)
        else:
            page, epoch = polling.read_changes(calendar, caller, since, wanted(values), context)
            if since is not None and not page.entries:  # what most who ask are answered, until something is new
                keep_until(req, FOREVER)
        responses.send_read(req, resp, json.page(page, epoch), secret=bool(seconds))


def wanted(values: Values) -> WantedChanges:
    """What a client asks for."""
    kinds = values.get("kinds")
    return WantedChanges(
        kinds=frozenset(map(str, kinds)) if isinstance(kinds, list) else ALL_KINDS,
        limit=int(str(values.get("limit", USUAL_CHANGES))),
        has_records=bool(values.get("include")),
        shows_events=bool(values.get("expand")),
        show_hidden=bool(values.get("show_hidden")),
    )


HANDLERS = (Changes, BatchHandler)
