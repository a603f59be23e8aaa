"""The settings of the site that are kept in the store and edited in the admin (how they are read: revisions.py).

Each is a row of the table in `kalends/settings`, which parses it. What the command line, the environment or
`kalends.toml` says wins over the store. With them come the fields that people have defined
(contract/kinds/defined_fields.py).
"""

from collections.abc import Callable, Mapping
from datetime import datetime

import msgspec

from kalends.calendar import security
from kalends.calendar.access import UnitOfWork, may_manage_site, require, require_to_read
from kalends.calendar.revisions import StoredSettings, decoded
from kalends.settings import Settings, problems
from kalends.store.engine.store import Session
from kalends.store.rows import journal, site
from kalends.values import dates


def stored(session: Session) -> dict[str, str]:
    """What the store has, as it was written."""
    return decoded(site.read(session, site.SETTINGS))


def is_set_up(session: Session) -> bool:
    """Whether somebody has saved the settings of the site."""
    return site.read(session, site.SETTINGS) is not None


def current(work: UnitOfWork, site: StoredSettings) -> Settings:
    """The settings as the store has them now, for somebody who can change them."""
    require_to_read(may_manage_site(work.caller), work.caller)
    return site.read(work.session)


def is_chosen(work: UnitOfWork, key: str) -> bool:
    """Whether somebody has saved this setting."""
    require_to_read(may_manage_site(work.caller), work.caller)
    return key in stored(work.session)


def change(
    work: UnitOfWork, written: Mapping[str, str], precondition: Callable[[Settings], None] | None = None
) -> None:
    """Stores what the caller has written. `precondition` is called with the settings as they were."""
    require(may_manage_site(work.caller), work.caller)
    if precondition is not None:
        precondition(work.settings)
    save(work.session, written, work.now)
    security.record(work, "settings_changed", about=", ".join(sorted(written)))


def save(session: Session, written: Mapping[str, str], now: datetime) -> None:
    """Stores these values, which must be without problems, and keeps the others. Everybody may notice the change."""
    if found := problems(written):
        raise ValueError(found)
    changed = stored(session) | {key: text.strip() for key, text in written.items()}
    site.write(session, site.SETTINGS, msgspec.json.encode(changed).decode())
    journal.record(session, "site", 0, journal.UPDATE, public=True, at=dates.text(now))


SITE_ID = "site_id"  # of the site's facts


def site_id(work: UnitOfWork) -> str:
    """An identifier of this calendar that never changes."""
    return site.read(work.session, SITE_ID) or ""
