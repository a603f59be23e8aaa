"""`POST {ns}/batch`: several writes of the interface in one request, all or nothing or each alone."""

from typing import cast

import falcon

from kalends.calendar.access import require
from kalends.contract.errors import OUT_OF_BOUNDS, FieldError, Problems
from kalends.contract.fields import read_create
from kalends.features.changes.addresses import BATCH, MOST, MOST_ATOMIC, ItemRequest, foreign
from kalends.features.changes.batches import Batch, Item, send
from kalends.http.messages import bodies
from kalends.http.request_context import context_of
from kalends.http.router import DescribedResource
from kalends.languages import N_


class BatchHandler(DescribedResource):
    """Takes a batch."""

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

    def _items(self, req: falcon.Request, batch: Batch, sent: list[ItemRequest]) -> list[Item]:
        """Nothing is done unless all of them are writes below the address of this one."""
        root, items = req.path.removesuffix(BATCH.pattern), []
        for place, one in enumerate(sent):
            item = batch.item(root, one)
            if item is None:
                Problems({"requests": foreign(place, one.path)}).raise_any()
            else:
                items.append(item)
        return items
