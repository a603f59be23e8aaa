"""Possible duplicates, for editors. Rights are asked in features/sources/duplicates/answers.py."""

import falcon

from kalends.calendar.access import UnitOfWork, may_edit_others, require, require_to_read
from kalends.contract.fields import read_create, read_query
from kalends.features.sources import rows
from kalends.features.sources.duplicates import answers as duplicates
from kalends.features.sources.duplicates.answers import Question
from kalends.features.sources.duplicates.contract import (
    ANSWER_FIELDS,
    DUPLICATE,
    DUPLICATE_ITEM,
    LIST_PARAMETERS,
    PUBLISHED,
    SIDE,
    USUAL,
)
from kalends.features.sources.duplicates.contract import DUPLICATES as LIST
from kalends.features.sources.duplicates.publishing import Publication
from kalends.features.sources.duplicates.rows import OPEN
from kalends.http.api.resources import stored_id
from kalends.http.messages import responses
from kalends.http.messages.parameters import from_query
from kalends.http.request_context import context_of
from kalends.http.router import DescribedResource
from kalends.present.managed import Json, filled


def names_of(work: UnitOfWork) -> dict[str, str]:
    """What sources are called, by what their records remember."""
    return {one.origin: one.name for one in rows.everyone(work.session)}


def shown(work: UnitOfWork, asked: Question, names: dict[str, str]) -> Json:
    pair, publications = asked.pair, duplicates.publications(work, asked)
    events = [
        filled(
            SIDE,
            event,
            title=event.name,
            start_date=event.start_local,
            **_published(publications.get(event.id, Publication())),
            sources=[names.get(origin, origin) for origin in origins],
        )
        for event, origins in zip(asked.events, asked.origins, strict=True)
    ]
    return filled(
        DUPLICATE,
        pair,
        events=events,
        stays=duplicates.chosen(asked).id if pair.state == OPEN and asked.events else None,
        source=names.get(pair.origin, pair.origin),
        alike=asked.alike,
        can_undo=duplicates.can_undo(asked),
        updated_utc=pair.at_utc,
    )


def _published(found: Publication) -> Json:
    if not found.steps or found.is_refused:
        return {}
    return {"publishes": filled(PUBLISHED, found, dates=len(found.dates))}


class DuplicateResource(DescribedResource):
    """What the handlers of possible duplicates have in common."""

    right = staticmethod(may_edit_others)


class Duplicates(DuplicateResource):
    """The queue, and what was answered."""

    address = LIST

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller = context_of(req).caller
        require_to_read(may_edit_others(caller), caller)
        reading = read_query(LIST_PARAMETERS, from_query(req.query_string))
        reading.problems.raise_any()
        values = {"state": OPEN, "page": 1, "per_page": USUAL} | reading.values
        state, page, size = str(values["state"]), int(str(values["page"])), int(str(values["per_page"]))

        def read(work: UnitOfWork) -> Json:
            total, found = duplicates.questions(work, state, size, (page - 1) * size)
            names = names_of(work)
            return {"duplicates": [shown(work, one, names) for one in found], "total": total}

        responses.send(req, resp, self.calendar.read(caller, read), items="duplicates")


class DuplicateItem(DuplicateResource):
    """One pair."""

    address = DUPLICATE_ITEM

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        def read(work: UnitOfWork) -> Json:
            return shown(work, duplicates.find(work, stored_id(id)), names_of(work))

        responses.send(req, resp, self.calendar.read_latest(context_of(req).caller, read))

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller = context_of(req).caller
        require(may_edit_others(caller), caller)
        reading = read_create(ANSWER_FIELDS, self.body(req))
        reading.problems.raise_any()
        answer, keep = str(reading.values["answer"]), int(str(reading.values.get("keep") or 0))
        publish = str(reading.values.get("publish") or "")
        if answer == OPEN:
            duplicates.take_back(self.calendar, caller, stored_id(id))
        else:
            self.calendar.write(caller, duplicates.answer, stored_id(id), answer, keep, publish)
        self.on_get(req, resp, id)

    on_put = on_patch = on_post


HANDLERS = (Duplicates, DuplicateItem)
