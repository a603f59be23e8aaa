CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- One number space for events, venues, organizers and images, and one each for terms, users, tokens and changes.
-- A number names one thing for ever, so the last number is kept apart from the rows.
CREATE TABLE sequence (
    name TEXT COLLATE "C" PRIMARY KEY,
    last BIGINT NOT NULL
);
INSERT INTO sequence (name, last) VALUES
    ('post', 0), ('term', 0), ('user', 0), ('token', 0), ('rev', 0);

CREATE TABLE site (
    key TEXT COLLATE "C" PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
);

-- Every committed change. `public` marks those that a stranger could notice; `low` and `high` are the local times
-- that an event touched before or after it.
CREATE TABLE journal (
    rev BIGINT PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    action TEXT COLLATE "C" NOT NULL,
    public INTEGER NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    low TEXT COLLATE "C",
    high TEXT COLLATE "C"
);
CREATE INDEX journal_public ON journal (rev) WHERE public = 1;

CREATE TABLE "user" (
    id BIGINT PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    name_key TEXT COLLATE "C" NOT NULL UNIQUE,
    role TEXT COLLATE "C" NOT NULL,
    password TEXT COLLATE "C" NOT NULL,
    created_utc TEXT COLLATE "C" NOT NULL
);

CREATE TABLE token (
    id BIGINT PRIMARY KEY,
    "user" BIGINT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    name TEXT COLLATE "C" NOT NULL,
    digest BYTEA NOT NULL UNIQUE,
    purpose TEXT COLLATE "C" NOT NULL,
    read_only INTEGER NOT NULL,
    created_utc TEXT COLLATE "C" NOT NULL,
    expires_utc TEXT COLLATE "C",
    used_utc TEXT COLLATE "C"
);
CREATE INDEX token_user ON token ("user");

-- Guesses that went wrong, by what was guessed at and by whom.
CREATE TABLE failure (
    key TEXT COLLATE "C" PRIMARY KEY,
    count INTEGER NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    blocked_until TEXT COLLATE "C" NOT NULL
);
CREATE INDEX failure_at ON failure (at);

CREATE TABLE media (
    id BIGINT PRIMARY KEY,
    author BIGINT NOT NULL REFERENCES "user" (id),
    file TEXT COLLATE "C" NOT NULL UNIQUE,
    extension TEXT COLLATE "C" NOT NULL,
    mime_type TEXT COLLATE "C" NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    filesize BIGINT NOT NULL,
    sizes TEXT COLLATE "C" NOT NULL,
    source_url TEXT COLLATE "C",
    created_utc TEXT COLLATE "C" NOT NULL,
    -- Unique, however long it is.
    EXCLUDE USING hash (source_url WITH =)
);

-- The three kinds of post begin with the same columns; small ones come before the long texts.
CREATE TABLE event (
    id BIGINT PRIMARY KEY,
    author BIGINT NOT NULL REFERENCES "user" (id),
    status TEXT COLLATE "C" NOT NULL,
    trashed_from TEXT COLLATE "C" NOT NULL,
    date_utc TEXT COLLATE "C" NOT NULL,
    modified_utc TEXT COLLATE "C" NOT NULL,
    image BIGINT REFERENCES media (id),
    rev BIGINT NOT NULL,
    start_local TEXT COLLATE "C" NOT NULL,
    end_local TEXT COLLATE "C" NOT NULL,
    start_utc TEXT COLLATE "C" NOT NULL,
    end_utc TEXT COLLATE "C" NOT NULL,
    timezone TEXT COLLATE "C" NOT NULL,
    all_day INTEGER NOT NULL,
    show_map INTEGER NOT NULL,
    show_map_link INTEGER NOT NULL,
    hide_from_listings INTEGER NOT NULL,
    sticky INTEGER NOT NULL,
    featured INTEGER NOT NULL,
    ticketed INTEGER NOT NULL,
    post_parent BIGINT NOT NULL,
    password BYTEA,
    -- Who a list may show it to: 0 not everybody, 1 everybody but masked, 2 everybody.
    reach INTEGER NOT NULL GENERATED ALWAYS AS (
        CASE WHEN status <> 'publish' OR hide_from_listings = 1 THEN 0 WHEN password IS NULL THEN 2 ELSE 1 END
    ) STORED,
    -- The number of binary digits of its length in days: long events are found without walking the short ones.
    span INTEGER NOT NULL,
    slug TEXT COLLATE "C" NOT NULL,
    slug_key TEXT COLLATE "C" NOT NULL UNIQUE,
    name TEXT COLLATE "C" NOT NULL,
    sort_name TEXT COLLATE "C" NOT NULL,
    website TEXT COLLATE "C" NOT NULL,
    cost TEXT COLLATE "C" NOT NULL,
    tickets TEXT COLLATE "C" NOT NULL,
    excerpt TEXT COLLATE "C" NOT NULL,
    description TEXT COLLATE "C" NOT NULL
);
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
    id BIGINT PRIMARY KEY,
    author BIGINT NOT NULL REFERENCES "user" (id),
    status TEXT COLLATE "C" NOT NULL,
    trashed_from TEXT COLLATE "C" NOT NULL,
    date_utc TEXT COLLATE "C" NOT NULL,
    modified_utc TEXT COLLATE "C" NOT NULL,
    image BIGINT REFERENCES media (id),
    rev BIGINT NOT NULL,
    geo_lat DOUBLE PRECISION,
    geo_lng DOUBLE PRECISION,
    show_map INTEGER NOT NULL,
    show_map_link INTEGER NOT NULL,
    slug TEXT COLLATE "C" NOT NULL,
    slug_key TEXT COLLATE "C" NOT NULL UNIQUE,
    name TEXT COLLATE "C" NOT NULL,
    sort_name TEXT COLLATE "C" NOT NULL,
    address TEXT COLLATE "C" NOT NULL,
    city TEXT COLLATE "C" NOT NULL,
    country TEXT COLLATE "C" NOT NULL,
    province TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    zip TEXT COLLATE "C" NOT NULL,
    phone TEXT COLLATE "C" NOT NULL,
    website TEXT COLLATE "C" NOT NULL,
    stateprovince TEXT COLLATE "C" NOT NULL,
    excerpt TEXT COLLATE "C" NOT NULL,
    description TEXT COLLATE "C" NOT NULL
);
CREATE INDEX venue_date ON venue (date_utc DESC, id) WHERE status = 'publish';
CREATE INDEX venue_name ON venue (sort_name);
CREATE INDEX venue_place ON venue (geo_lat, geo_lng) WHERE geo_lat IS NOT NULL;
CREATE INDEX venue_author ON venue (author);
CREATE INDEX venue_future ON venue (date_utc) WHERE status = 'future';
CREATE INDEX venue_image ON venue (image) WHERE image IS NOT NULL;

CREATE TABLE organizer (
    id BIGINT PRIMARY KEY,
    author BIGINT NOT NULL REFERENCES "user" (id),
    status TEXT COLLATE "C" NOT NULL,
    trashed_from TEXT COLLATE "C" NOT NULL,
    date_utc TEXT COLLATE "C" NOT NULL,
    modified_utc TEXT COLLATE "C" NOT NULL,
    image BIGINT REFERENCES media (id),
    rev BIGINT NOT NULL,
    slug TEXT COLLATE "C" NOT NULL,
    slug_key TEXT COLLATE "C" NOT NULL UNIQUE,
    name TEXT COLLATE "C" NOT NULL,
    sort_name TEXT COLLATE "C" NOT NULL,
    phone TEXT COLLATE "C" NOT NULL,
    website TEXT COLLATE "C" NOT NULL,
    email TEXT COLLATE "C" NOT NULL,
    excerpt TEXT COLLATE "C" NOT NULL,
    description TEXT COLLATE "C" NOT NULL
);
CREATE INDEX organizer_date ON organizer (date_utc DESC, id) WHERE status = 'publish';
CREATE INDEX organizer_name ON organizer (sort_name);
CREATE INDEX organizer_author ON organizer (author);
CREATE INDEX organizer_future ON organizer (date_utc) WHERE status = 'future';
CREATE INDEX organizer_image ON organizer (image) WHERE image IS NOT NULL;

CREATE TABLE category (
    id BIGINT PRIMARY KEY,
    parent BIGINT NOT NULL,
    slug TEXT COLLATE "C" NOT NULL,
    slug_key TEXT COLLATE "C" NOT NULL UNIQUE,
    name TEXT COLLATE "C" NOT NULL,
    name_key TEXT COLLATE "C" NOT NULL,
    sort_name TEXT COLLATE "C" NOT NULL,
    description TEXT COLLATE "C" NOT NULL,
    rev BIGINT NOT NULL
);
-- Names may be longer than an entry of an ordinary index.
CREATE UNIQUE INDEX category_sibling ON category (parent, md5(name_key));
CREATE INDEX category_name_key ON category USING hash (name_key);
CREATE INDEX category_name ON category (sort_name, id);

CREATE TABLE tag (
    id BIGINT PRIMARY KEY,
    parent BIGINT NOT NULL,
    slug TEXT COLLATE "C" NOT NULL,
    slug_key TEXT COLLATE "C" NOT NULL UNIQUE,
    name TEXT COLLATE "C" NOT NULL,
    name_key TEXT COLLATE "C" NOT NULL,
    sort_name TEXT COLLATE "C" NOT NULL,
    description TEXT COLLATE "C" NOT NULL,
    rev BIGINT NOT NULL
);
-- Names may be longer than an entry of an ordinary index.
CREATE UNIQUE INDEX tag_sibling ON tag (parent, md5(name_key));
CREATE INDEX tag_name_key ON tag USING hash (name_key);
CREATE INDEX tag_name ON tag (sort_name, id);

-- What an event is linked to. The event's reach and times are kept here again, so that "the events at this
-- venue, by start" is one walk along one index. `position` is the order given; a category that is there only
-- because a child of it is has none.
CREATE TABLE event_venue (
    target BIGINT NOT NULL REFERENCES venue (id) ON DELETE CASCADE,
    event BIGINT NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    position INTEGER,
    reach INTEGER NOT NULL,
    start_local TEXT COLLATE "C" NOT NULL,
    end_local TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (target, event)
);
CREATE INDEX event_venue_order ON event_venue (event, position);
CREATE INDEX event_venue_open ON event_venue (target, start_local, event, end_local) WHERE reach = 2;

CREATE TABLE event_organizer (
    target BIGINT NOT NULL REFERENCES organizer (id) ON DELETE CASCADE,
    event BIGINT NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    position INTEGER,
    reach INTEGER NOT NULL,
    start_local TEXT COLLATE "C" NOT NULL,
    end_local TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (target, event)
);
CREATE INDEX event_organizer_order ON event_organizer (event, position);
CREATE INDEX event_organizer_open ON event_organizer (target, start_local, event, end_local) WHERE reach = 2;

CREATE TABLE event_category (
    target BIGINT NOT NULL REFERENCES category (id) ON DELETE CASCADE,
    event BIGINT NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    position INTEGER,
    reach INTEGER NOT NULL,
    start_local TEXT COLLATE "C" NOT NULL,
    end_local TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (target, event)
);
CREATE INDEX event_category_order ON event_category (event, position);
CREATE INDEX event_category_open ON event_category (target, start_local, event, end_local) WHERE reach = 2;

CREATE TABLE event_tag (
    target BIGINT NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
    event BIGINT NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    position INTEGER,
    reach INTEGER NOT NULL,
    start_local TEXT COLLATE "C" NOT NULL,
    end_local TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (target, event)
);
CREATE INDEX event_tag_order ON event_tag (event, position);
CREATE INDEX event_tag_open ON event_tag (target, start_local, event, end_local) WHERE reach = 2;

-- How many listed events start (edge 's') or end ('e') in a year, month or day (unit 4, 7 or 10: the length of
-- its text), and altogether (unit 0).
CREATE TABLE tally (
    scope TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    edge TEXT COLLATE "C" NOT NULL,
    unit INTEGER NOT NULL,
    day TEXT COLLATE "C" NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (scope, id, edge, unit, day)
);

CREATE TABLE event_text (
    rowid BIGINT PRIMARY KEY,
    title TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL
);
CREATE INDEX event_text_words ON event_text USING gin ((title || chr(10) || body) gin_trgm_ops);

CREATE TABLE venue_text (
    rowid BIGINT PRIMARY KEY,
    title TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL
);
CREATE INDEX venue_text_words ON venue_text USING gin ((title || chr(10) || body) gin_trgm_ops);

CREATE TABLE organizer_text (
    rowid BIGINT PRIMARY KEY,
    title TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL
);
CREATE INDEX organizer_text_words ON organizer_text USING gin ((title || chr(10) || body) gin_trgm_ops);
