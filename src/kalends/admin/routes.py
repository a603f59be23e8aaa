"""The route table of the admin."""

from functools import partial
from itertools import chain
from typing import Any

import falcon

from kalends.admin import (
    about,
    background_tasks,
    event_changes,
    event_month,
    events,
    media,
    overview,
    people,
    profile,
    review,
    settings,
    share,
    signing_in,
    trash,
)
from kalends.admin.event_editor import editor, series_dates
from kalends.admin.navigation import (
    EVENTS,
    LINKED,
    MEDIA,
    OVERVIEW,
    PEOPLE,
    PROFILE,
    REVIEW,
    SETTINGS,
    TRASH,
    NavigationEntry,
)
from kalends.admin.records import record_form, record_list, record_merge
from kalends.admin.request import AdminRequest
from kalends.admin.screen import SIGN_IN_TITLE, FormResource, Screen, ScreenResource, form_with_picture
from kalends.calendar.access import may_edit_others, may_merge
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.contract.kinds import Kind
from kalends.feature import declared
from kalends.http.service import Service
from kalends.languages import N_

Public = partial(Screen, is_public=True, largest=signing_in.small_form)
EDITOR = Screen(EVENTS, editor.show_editor, editor.save, N_("New event"), largest=form_with_picture)
AUTOSAVE = Screen(EVENTS, act=editor.autosave)
PREVIEW = Screen(EVENTS, act=editor.preview)


def record_screens(kind: Kind, entry: NavigationEntry) -> dict[str, Screen]:
    """The screens of a kind, by their addresses."""
    path, shown = entry.path, partial(record_form.show_record_form, kind=kind)
    form = Screen(entry, shown, partial(record_form.save, kind=kind), kind.says.new, largest=form_with_picture)
    return {
        path: Screen(entry, partial(record_list.show_records, kind=kind)),
        f"{path}/new": form,
        f"{path}/{{id:digits}}": form,
        f"{path}/{{id:digits}}/delete": Screen(entry, act=partial(record_form.delete, kind=kind)),
        f"{path}/merge": Screen(
            entry,
            partial(record_merge.show_merge, kind=kind),
            partial(record_merge.merge, kind=kind),
            N_("Merge"),
            right=may_merge,
        ),
    }


SCREENS: dict[str, Screen] = {
    "/admin/sign-in": Public(
        show_page=signing_in.show_sign_in,
        act=signing_in.sign_in,
        title=SIGN_IN_TITLE,
        largest=signing_in.form_with_another,
    ),
    "/admin/sign-out": Screen(act=signing_in.sign_out, keeps_form=False),
    "/admin/link": Public(show_page=signing_in.show_link, act=signing_in.accept_link, title=N_("Choose a password")),
    "/admin/forgotten": Public(
        show_page=signing_in.show_forgotten, act=signing_in.send_forgotten, title=N_("Forgotten password")
    ),
    "/admin/address": Public(
        show_page=signing_in.show_address, act=signing_in.confirm_address, title=N_("Confirm your address")
    ),
    "/admin": Screen(OVERVIEW, overview.show_overview),
    "/admin/first-steps": Screen(SETTINGS, act=overview.tick),
    "/admin/events": Screen(EVENTS, events.show_events, events.act),
    "/admin/events/undo": Screen(EVENTS, act=event_changes.undo),
    "/admin/events/{id:digits}/move": Screen(EVENTS, event_changes.show_move, event_changes.move, N_("Move")),
    "/admin/events/{id:digits}/trash": Screen(EVENTS, act=event_changes.trash),
    "/admin/events/{id:digits}/dates": Screen(EVENTS, act=series_dates.act),
    "/admin/events/{id:digits}/rejoin": Screen(EVENTS, act=series_dates.rejoin),
    "/admin/events/dates": Screen(EVENTS, editor.show_dates),
    "/admin/events/new": EDITOR,
    "/admin/events/new/autosave": AUTOSAVE,
    "/admin/events/new/preview": PREVIEW,
    "/admin/events/{id:digits}": EDITOR,
    "/admin/events/{id:digits}/autosave": AUTOSAVE,
    "/admin/events/{id:digits}/preview": PREVIEW,
    "/admin/events/{id:digits}/duplicate": Screen(EVENTS, act=editor.duplicate),
    "/admin/events/month": Screen(EVENTS, event_month.show_month),
    "/admin/review": Screen(REVIEW, review.show_review, review.decide),
    "/admin/review/undo": Screen(REVIEW, act=review.take_back),
    **{path: screen for kind, entry in LINKED.items() for path, screen in record_screens(kind, entry).items()},
    "/admin/media": Screen(MEDIA, media.show_media, media.upload_or_delete, largest=media.several_pictures),
    "/admin/media/choose": Screen(MEDIA, media.show_choice),
    "/admin/media/{id:digits}": Screen(MEDIA, media.show_picture, media.save, N_("Picture")),
    "/admin/media/{id:digits}/delete": Screen(MEDIA, act=media.delete),
    "/admin/trash": Screen(TRASH, trash.show_trash, trash.act),
    "/admin/people": Screen(PEOPLE, people.show_people),
    "/admin/people/invite": Screen(PEOPLE, people.show_invite, people.invite, N_("Invite somebody")),
    "/admin/people/withdraw": Screen(PEOPLE, act=people.withdraw),
    "/admin/people/{id:digits}": Screen(PEOPLE, people.show_person, people.save, N_("Person")),
    "/admin/people/{id:digits}/disable": Screen(PEOPLE, act=people.disable, again=people.show_person),
    "/admin/people/{id:digits}/reset": Screen(PEOPLE, act=people.reset, again=people.show_person),
    "/admin/people/{id:digits}/hand-over": Screen(PEOPLE, act=people.hand_over, again=people.show_person),
    "/admin/people/{id:digits}/sessions": Screen(PEOPLE, act=people.end_sessions, again=people.show_person),
    "/admin/people/{id:digits}/remove": Screen(PEOPLE, act=people.remove, again=people.show_person),
    "/admin/set-up": Screen(
        title=N_("Set up your calendar"), right=SETTINGS.right, show_page=settings.show_set_up, act=settings.set_up
    ),
    "/admin/settings": Screen(SETTINGS, settings.show_section, settings.save, largest=form_with_picture),
    "/admin/settings/{section}": Screen(SETTINGS, settings.show_section, settings.save, largest=form_with_picture),
    "/admin/settings/share": Screen(SETTINGS, share.show_share_page, right=may_edit_others),
    "/admin/settings/background": Screen(
        SETTINGS, background_tasks.show_background_tasks, background_tasks.run_again
    ),
    "/admin/settings/about": Screen(SETTINGS, about.show_about),
    "/admin/settings/backup": Screen(SETTINGS, about.show_no_backup, about.send_backup),
    "/admin/profile": Screen(PROFILE, profile.show_profile, profile.save),
    "/admin/profile/address": Screen(
        PROFILE, act=profile.change_address, again=partial(profile.show_profile, failed="address"), keeps_form=False
    ),
    "/admin/profile/messages": Screen(PROFILE, act=profile.save_messages),
    "/admin/profile/password": Screen(
        PROFILE, act=profile.change_password, again=partial(profile.show_profile, failed="password"), keeps_form=False
    ),
    "/admin/profile/sessions": Screen(PROFILE, act=profile.end_sessions),
    "/admin/profile/tokens": Screen(
        PROFILE, act=profile.add_token, again=partial(profile.show_profile, failed="tokens"), asks_again=True
    ),
    "/admin/profile/tokens/revoke": Screen(PROFILE, act=profile.revoke_tokens, asks_again=True),
}


def nothing_here(request: AdminRequest, **params: Any) -> None:
    raise ApiError(NO_ROUTE)


def add_routes(app: falcon.App[Any, Any], service: Service) -> None:
    for path, screen in {
        **SCREENS,
        **dict(chain.from_iterable(added.items() for added in declared("screens"))),
    }.items():
        app.add_route(path, (FormResource if screen.act else ScreenResource)(service, screen))
    app.add_sink(ScreenResource(service, Screen(show_page=nothing_here)).on_get, r"/admin/")
