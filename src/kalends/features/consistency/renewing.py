"""Computes anew what a record has derived data of, and takes references out that lead nowhere."""

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.calendar.posts import posts, terms
from kalends.calendar.storing import rendering
from kalends.contract.kinds import EVENT, KIND_OF
from kalends.features.consistency import series
from kalends.features.consistency.store.problem import Problem
from kalends.store.rows import fragments as stored_fragments
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import search_rows
from kalends.store.rows import series as stored_series
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.records import Event


def without_image(work: UnitOfWork, problem: Problem) -> None:
    kind = KIND_OF[problem.kind]
    post = posts.find(work, kind, problem.id)
    before = msgspec.structs.replace(post)
    post.image = None
    posts.save(work, kind, before, post, {})


def without_parent(work: UnitOfWork, problem: Problem) -> None:
    if problem.kind != EVENT.name:
        terms.set_parent(work, problem.id, 0)
        return
    event = posts.find(work, EVENT, problem.id)
    assert isinstance(event, Event)
    if event.series is not None:
        series.name_first(work, problem._replace(id=event.series))
        return
    before = msgspec.structs.replace(event)
    event.post_parent = 0
    posts.save(work, EVENT, before, event, {})


def rewrite(work: UnitOfWork, problem: Problem) -> None:
    kind = KIND_OF[problem.kind]
    if kind.is_term:
        terms.rewrite(work, kind, problem.id)
        return
    post = stored_posts.find(work.session, kind.name, problem.id)
    if post is None:
        search_rows.erase(work.session, kind.name, problem.id)
    else:
        posts.rewrite(work, kind, post)


def render(work: UnitOfWork, problem: Problem) -> None:
    session, settings = work.session, work.settings
    if problem.kind == stored_fragments.SERIES:
        found = stored_series.find(session, problem.id)
        if found is None:
            stored_fragments.delete(session, problem.id)
        else:
            rendering.render_series(session, settings, found)
        return
    kind = KIND_OF[problem.kind]
    if kind.is_term:
        term = stored_terms.find(session, kind.name, problem.id)
        if term is not None:
            rendering.render_term(session, settings, kind, term)
            return
    else:
        post = stored_posts.find(session, kind.name, problem.id)
        if post is not None:
            rendering.render_post(session, settings, kind.name, post)
            return
    rendering.remove(work, kind.name, problem.id)
