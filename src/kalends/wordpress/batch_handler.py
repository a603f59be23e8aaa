"""`/wp-json/batch/v1`: several writes in one request, in the form of WordPress."""

from collections.abc import Sequence
from typing import cast

import falcon

from kalends.contract.errors import ApiError
from kalends.contract.fields import read_create
from kalends.contract.operations.batch import ItemRequest
from kalends.contract.operations.model import COMPAT_ROOT
from kalends.server.api.batches import Batch, Item, ItemAnswer, send
from kalends.server.http import bodies
from kalends.wordpress.addresses import ALL_VALID, BATCH
from kalends.wordpress.errors import NOT_IN_BATCHES
from kalends.wordpress.resources import Resource

INVALID = 400  # what a request answers that does not validate


class BatchHandler(Resource):
    """Takes a batch of requests to any namespace. Each stands alone; with `require-all-validate` nothing is done
    unless all of them are valid."""

    address = BATCH
    is_batch = True

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        reading = read_create(BATCH.operations[0].parameters, bodies.read(req, self.service.settings.max_body))
        reading.problems.raise_any()
        sent = cast("list[ItemRequest]", reading.values["requests"])
        batch = Batch(self.service, req)
        batch.count(len(sent))
        found = [batch.item(COMPAT_ROOT, one) for one in sent]
        items = [item for item in found if item is not None]
        if reading.values.get("validation") != ALL_VALID:
            send(req, resp, _in_order(batch, found, batch.run_each(items)))
            return
        answers = batch.run_together(items, INVALID, is_trial=len(items) < len(found))
        in_order = _in_order(batch, found, batch.answers)
        if answers is None:
            invalid = [answer if answer.status == INVALID else None for answer in in_order]
            send(req, resp, invalid, failed="validation")
        else:
            send(req, resp, in_order)


def _in_order(batch: Batch, found: Sequence[Item | None], answers: Sequence[ItemAnswer]) -> list[ItemAnswer]:
    """The answers of the items, and errors where a request was none."""
    following = iter(answers)
    return [batch.error(ApiError(NOT_IN_BATCHES)) if item is None else next(following) for item in found]
