-- One number space for events, venues, organizers and images, and one each for terms, users, tokens and changes.
-- A number names one thing for ever, so the last number is kept apart from the rows.
CREATE TABLE sequence (
    name TEXT PRIMARY KEY,
    last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO sequence (name, last) VALUES
    ('post', 0), ('term', 0), ('user', 0), ('token', 0), ('rev', 0);

CREATE TABLE site (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Every committed change. `public` marks those that a stranger could notice; `low` and `high` are the local times
-- that an event touched before or after it.
CREATE TABLE journal (
    rev INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    action TEXT NOT NULL,
    public INTEGER NOT NULL,
    at TEXT NOT NULL,
    low TEXT,
    high TEXT
) STRICT;
CREATE INDEX journal_public ON journal (rev) WHERE public = 1;

CREATE TABLE "user" (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    password TEXT NOT NULL,
    created_utc TEXT NOT NULL
) STRICT;

CREATE TABLE token (
    id INTEGER PRIMARY KEY,
    "user" INTEGER NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    digest BLOB NOT NULL UNIQUE,
    purpose TEXT NOT NULL,
    read_only INTEGER NOT NULL,
    created_utc TEXT NOT NULL,
    expires_utc TEXT,
    used_utc TEXT
) STRICT;
CREATE INDEX token_user ON token ("user");

-- Guesses that went wrong, by what was guessed at and by whom.
CREATE TABLE failure (
    key TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    at TEXT NOT NULL,
    blocked_until TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX failure_at ON failure (at);

CREATE TABLE media (
    id INTEGER PRIMARY KEY,
    author INTEGER NOT NULL REFERENCES "user" (id),
    file TEXT NOT NULL UNIQUE,
    extension TEXT NOT NULL,
    mime_type TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    filesize INTEGER NOT NULL,
    sizes TEXT NOT NULL,
    source_url TEXT UNIQUE,
    created_utc TEXT NOT NULL
) STRICT;

-- The three kinds of post begin with the same columns; small ones come before the long texts.
CREATE TABLE event (
    id INTEGER PRIMARY KEY,
    author INTEGER NOT NULL REFERENCES "user" (id),
    status TEXT NOT NULL,
    trashed_from TEXT NOT NULL,
    date_utc TEXT NOT NULL,
    modified_utc TEXT NOT NULL,
    image INTEGER REFERENCES media (id),
    rev INTEGER NOT NULL,
    start_local TEXT NOT NULL,
    end_local TEXT NOT NULL,
    start_utc TEXT NOT NULL,
    end_utc TEXT NOT NULL,
    timezone TEXT NOT NULL,
    all_day INTEGER NOT NULL,
    show_map INTEGER NOT NULL,
    show_map_link INTEGER NOT NULL,
    hide_from_listings INTEGER NOT NULL,
    sticky INTEGER NOT NULL,
    featured INTEGER NOT NULL,
    ticketed INTEGER NOT NULL,
    post_parent INTEGER NOT NULL,
    password BLOB,
    -- Who a list may show it to: 0 not everybody, 1 everybody but masked, 2 everybody.
    reach INTEGER NOT NULL GENERATED ALWAYS AS (
        CASE WHEN status <> 'publish' OR hide_from_listings = 1 THEN 0 WHEN password IS NULL THEN 2 ELSE 1 END
    ) STORED,
    -- The number of binary digits of its length in days: long events are found without walking the short ones.
    span INTEGER NOT NULL,
    slug TEXT NOT NULL,
    slug_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    sort_name TEXT NOT NULL,
    website TEXT NOT NULL,
    cost TEXT NOT NULL,
    tickets TEXT NOT NULL,
    excerpt TEXT NOT NULL,
    description TEXT NOT NULL
) STRICT;
CREATE INDEX event_window ON event (start_local, id, end_local, reach, start_utc, end_utc);
CREATE INDEX event_end ON event (end_local, end_utc) WHERE reach > 0;
CREATE INDEX event_span ON event (span, start_local, end_local, start_utc, end_utc) WHERE reach > 0;
CREATE INDEX event_unlisted ON event (start_local, id, end_local, status, start_utc, end_utc) WHERE reach = 0;
CREATE INDEX event_password ON event (password) WHERE password IS NOT NULL;
CREATE INDEX event_author ON event (author);
CREATE INDEX event_future ON event (date_utc) WHERE status = 'future';
CREATE INDEX event_date ON event (date_utc, id);
CREATE INDEX event_modified ON event (modified_utc, id);
CREATE INDEX event_name ON event (sort_name, id);
CREATE INDEX event_parent ON event (post_parent) WHERE post_parent > 0;
CREATE INDEX event_image ON event (image) WHERE image IS NOT NULL;

CREATE TABLE venue (
    id INTEGER PRIMARY KEY,
    author INTEGER NOT NULL REFERENCES "user" (id),
    status TEXT NOT NULL,
    trashed_from TEXT NOT NULL,
    date_utc TEXT NOT NULL,
    modified_utc TEXT NOT NULL,
    image INTEGER REFERENCES media (id),
    rev INTEGER NOT NULL,
    geo_lat REAL,
    geo_lng REAL,
    show_map INTEGER NOT NULL,
    show_map_link INTEGER NOT NULL,
    slug TEXT NOT NULL,
    slug_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    sort_name TEXT NOT NULL,
    address TEXT NOT NULL,
    city TEXT NOT NULL,
    country TEXT NOT NULL,
    province TEXT NOT NULL,
    state TEXT NOT NULL,
    zip TEXT NOT NULL,
    phone TEXT NOT NULL,
    website TEXT NOT NULL,
    stateprovince TEXT NOT NULL,
    excerpt TEXT NOT NULL,
    description TEXT NOT NULL
) STRICT;
CREATE INDEX venue_date ON venue (date_utc DESC, id) WHERE status = 'publish';
CREATE INDEX venue_name ON venue (sort_name);
CREATE INDEX venue_place ON venue (geo_lat, geo_lng) WHERE geo_lat IS NOT NULL;
CREATE INDEX venue_author ON venue (author);
CREATE INDEX venue_future ON venue (date_utc) WHERE status = 'future';
CREATE INDEX venue_image ON venue (image) WHERE image IS NOT NULL;

CREATE TABLE organizer (
    id INTEGER PRIMARY KEY,
    author INTEGER NOT NULL REFERENCES "user" (id),
    status TEXT NOT NULL,
    trashed_from TEXT NOT NULL,
    date_utc TEXT NOT NULL,
    modified_utc TEXT NOT NULL,
    image INTEGER REFERENCES media (id),
    rev INTEGER NOT NULL,
    slug TEXT NOT NULL,
    slug_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    sort_name TEXT NOT NULL,
    phone TEXT NOT NULL,
    website TEXT NOT NULL,
    email TEXT NOT NULL,
    excerpt TEXT NOT NULL,
    description TEXT NOT NULL
) STRICT;
CREATE INDEX organizer_date ON organizer (date_utc DESC, id) WHERE status = 'publish';
CREATE INDEX organizer_name ON organizer (sort_name);
CREATE INDEX organizer_author ON organizer (author);
CREATE INDEX organizer_future ON organizer (date_utc) WHERE status = 'future';
CREATE INDEX organizer_image ON organizer (image) WHERE image IS NOT NULL;

CREATE TABLE category (
    id INTEGER PRIMARY KEY,
    parent INTEGER NOT NULL,
    slug TEXT NOT NULL,
    slug_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    sort_name TEXT NOT NULL,
    description TEXT NOT NULL,
    rev INTEGER NOT NULL,
    UNIQUE (parent, name_key)
) STRICT;
CREATE INDEX category_name ON category (sort_name, id);

CREATE TABLE tag (
    id INTEGER PRIMARY KEY,
    parent INTEGER NOT NULL,
    slug TEXT NOT NULL,
    slug_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    sort_name TEXT NOT NULL,
    description TEXT NOT NULL,
    rev INTEGER NOT NULL,
    UNIQUE (parent, name_key)
) STRICT;
CREATE INDEX tag_name ON tag (sort_name, id);

-- What an event is linked to. The event's reach and times are kept here again, so that "the events at this
-- venue, by start" is one walk along one index. `position` is the order given; a category that is there only
-- because a child of it is has none.
CREATE TABLE event_venue (
    target INTEGER NOT NULL REFERENCES venue (id) ON DELETE CASCADE,
    event INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    position INTEGER,
    reach INTEGER NOT NULL,
    start_local TEXT NOT NULL,
    end_local TEXT NOT NULL,
    PRIMARY KEY (target, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_venue_order ON event_venue (event, position);
CREATE INDEX event_venue_open ON event_venue (target, start_local, event, end_local) WHERE reach = 2;

CREATE TABLE event_organizer (
    target INTEGER NOT NULL REFERENCES organizer (id) ON DELETE CASCADE,
    event INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    position INTEGER,
    reach INTEGER NOT NULL,
    start_local TEXT NOT NULL,
    end_local TEXT NOT NULL,
    PRIMARY KEY (target, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_organizer_order ON event_organizer (event, position);
CREATE INDEX event_organizer_open ON event_organizer (target, start_local, event, end_local) WHERE reach = 2;

CREATE TABLE event_category (
    target INTEGER NOT NULL REFERENCES category (id) ON DELETE CASCADE,
    event INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    position INTEGER,
    reach INTEGER NOT NULL,
    start_local TEXT NOT NULL,
    end_local TEXT NOT NULL,
    PRIMARY KEY (target, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_category_order ON event_category (event, position);
CREATE INDEX event_category_open ON event_category (target, start_local, event, end_local) WHERE reach = 2;

CREATE TABLE event_tag (
    target INTEGER NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
    event INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    position INTEGER,
    reach INTEGER NOT NULL,
    start_local TEXT NOT NULL,
    end_local TEXT NOT NULL,
    PRIMARY KEY (target, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_tag_order ON event_tag (event, position);
CREATE INDEX event_tag_open ON event_tag (target, start_local, event, end_local) WHERE reach = 2;

-- How many listed events start (edge 's') or end ('e') in a year, month or day (unit 4, 7 or 10: the length of
-- its text), and altogether (unit 0).
CREATE TABLE tally (
    scope TEXT NOT NULL,
    id INTEGER NOT NULL,
    edge TEXT NOT NULL,
    unit INTEGER NOT NULL,
    day TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (scope, id, edge, unit, day)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE event_text USING fts5 (title, body, tokenize = 'trigram case_sensitive 1');
CREATE VIRTUAL TABLE venue_text USING fts5 (title, body, tokenize = 'trigram case_sensitive 1');
CREATE VIRTUAL TABLE organizer_text USING fts5 (title, body, tokenize = 'trigram case_sensitive 1');
