"""A baseline: the list of events and one event, as one writes them with FastAPI, SQLAlchemy's ORM and pydantic."""

import os
from datetime import datetime, timedelta
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Query, Request
from pydantic import BaseModel, ConfigDict
from sqlalchemy import Column, ForeignKey, Integer, Table, create_engine, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship, selectinload

engine = create_engine(f"sqlite:///{os.environ['DATABASE']}")


class Base(DeclarativeBase):
    pass


def link(kind: str) -> Table:
    return Table(
        f"event_{kind}",
        Base.metadata,
        Column("event", ForeignKey("event.id"), primary_key=True),
        Column("target", ForeignKey(f"{kind}.id"), primary_key=True),
        Column("position", Integer),
    )


event_venue, event_organizer, event_category, event_tag = map(link, ("venue", "organizer", "category", "tag"))


class PlaceColumns:
    id: Mapped[int] = mapped_column(primary_key=True)
    author: Mapped[int]
    status: Mapped[str]
    date_utc: Mapped[str]
    modified_utc: Mapped[str]
    slug: Mapped[str]
    name: Mapped[str]
    description: Mapped[str]
    website: Mapped[str]
    phone: Mapped[str]


class Venue(PlaceColumns, Base):
    __tablename__ = "venue"
    address: Mapped[str]
    city: Mapped[str]
    country: Mapped[str]
    zip: Mapped[str]
    geo_lat: Mapped[float | None]
    geo_lng: Mapped[float | None]


class Organizer(PlaceColumns, Base):
    __tablename__ = "organizer"
    email: Mapped[str]


class TermColumns:
    id: Mapped[int] = mapped_column(primary_key=True)
    parent: Mapped[int]
    slug: Mapped[str]
    name: Mapped[str]
    description: Mapped[str]


class Category(TermColumns, Base):
    __tablename__ = "category"


class Tag(TermColumns, Base):
    __tablename__ = "tag"


class Event(Base):
    __tablename__ = "event"
    id: Mapped[int] = mapped_column(primary_key=True)
    author: Mapped[int]
    status: Mapped[str]
    date_utc: Mapped[str]
    modified_utc: Mapped[str]
    slug: Mapped[str]
    name: Mapped[str]
    excerpt: Mapped[str]
    description: Mapped[str]
    start_local: Mapped[str]
    end_local: Mapped[str]
    start_utc: Mapped[str]
    end_utc: Mapped[str]
    timezone: Mapped[str]
    all_day: Mapped[bool]
    featured: Mapped[bool]
    sticky: Mapped[bool]
    hide_from_listings: Mapped[bool]
    cost: Mapped[str]
    website: Mapped[str]
    visibility_level: Mapped[int]
    venues: Mapped[list[Venue]] = relationship(secondary=event_venue, order_by=event_venue.c.position)
    organizers: Mapped[list[Organizer]] = relationship(secondary=event_organizer, order_by=event_organizer.c.position)
    # Categories above those that were chosen are linked too, without a position.
    categories: Mapped[list[Category]] = relationship(
        secondary=event_category,
        secondaryjoin=(event_category.c.target == Category.id) & event_category.c.position.is_not(None),
        order_by=event_category.c.position,
    )
    tags: Mapped[list[Tag]] = relationship(secondary=event_tag, order_by=event_tag.c.position)


class Shown(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class PlaceShown(Shown):
    id: int
    author: int
    status: str
    date_utc: str
    modified_utc: str
    slug: str
    name: str
    description: str
    website: str
    phone: str


class VenueShown(PlaceShown):
    address: str
    city: str
    country: str
    zip: str
    geo_lat: float | None
    geo_lng: float | None


class OrganizerShown(PlaceShown):
    email: str


class TermShown(Shown):
    id: int
    parent: int
    slug: str
    name: str
    description: str


class EventShown(Shown):
    id: int
    author: int
    status: str
    date_utc: str
    modified_utc: str
    slug: str
    name: str
    excerpt: str
    description: str
    start_local: datetime
    end_local: datetime
    start_utc: datetime
    end_utc: datetime
    timezone: str
    all_day: bool
    featured: bool
    sticky: bool
    hide_from_listings: bool
    cost: str
    website: str
    venues: list[VenueShown]
    organizers: list[OrganizerShown]
    categories: list[TermShown]
    tags: list[TermShown]


class EventPage(BaseModel):
    events: list[EventShown]
    total: int
    total_pages: int
    next_rest_url: str | None = None
    previous_rest_url: str | None = None


app = FastAPI()


def open_session():
    with Session(engine) as session:
        yield session


Opened = Annotated[Session, Depends(open_session)]
EMBEDDED = [selectinload(getattr(Event, name)) for name in ("venues", "organizers", "categories", "tags")]


@app.get("/events")
def list_events(
    request: Request,
    session: Opened,
    start_date: datetime | None = None,
    end_date: datetime | None = None,
    page: Annotated[int, Query(ge=1)] = 1,
    per_page: Annotated[int, Query(ge=1, le=100)] = 12,
) -> EventPage:
    start = start_date or datetime.now()
    end = end_date or datetime.now() + timedelta(days=731)
    first, last = f"{start:%F} 00:00:00", f"{end:%F} 23:59:59"
    # The bound on both sides of the start changes nothing but the index that SQLite takes: this one is 80 × as fast.
    wanted = [Event.visibility_level > 0, Event.start_local.between(first, last), Event.end_local <= last]
    total = session.scalar(select(func.count()).select_from(Event).where(*wanted)) or 0
    chosen = select(Event).where(*wanted).order_by(Event.start_local, Event.id).options(*EMBEDDED)
    events = session.scalars(chosen.limit(per_page).offset((page - 1) * per_page)).all()
    pages = -(-total // per_page)
    return EventPage(
        events=[EventShown.model_validate(event) for event in events],
        total=total,
        total_pages=pages,
        next_rest_url=str(request.url.include_query_params(page=page + 1)) if page < pages else None,
        previous_rest_url=str(request.url.include_query_params(page=page - 1)) if page > 1 else None,
    )


@app.get("/events/{event_id}")
def read_event(event_id: int, session: Opened) -> EventShown:
    event = session.scalar(select(Event).where(Event.id == event_id, Event.visibility_level == 2).options(*EMBEDDED))
    if event is None:
        raise HTTPException(404)
    return EventShown.model_validate(event)
