-- The whole schema of a calendar in PostgreSQL. What differs in SQLite is in the file of this name there.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Numbers, settings, changes
-- --------------------------

-- One number space for events, venues, organizers, series and images, and one each for other kinds. A number names one thing for
-- ever, so the last number is kept apart from the rows.
CREATE TABLE sequence (
    name TEXT COLLATE "C" PRIMARY KEY,
    last BIGINT NOT NULL
);
INSERT INTO sequence (name, last) VALUES
    ('post', 0), ('term', 0), ('user', 0), ('token', 0), ('rev', 0), ('part', 0), ('session', 0), ('link', 0), ('note', 0);

-- Numbers of a sequence that were passed over and never named anything: an import may still give them to the records that
-- have them at their source.
CREATE TABLE number_gap (
    name TEXT COLLATE "C" NOT NULL,
    first BIGINT NOT NULL,
    last BIGINT NOT NULL,
    PRIMARY KEY (name, first)
);

CREATE TABLE site (
    key TEXT COLLATE "C" PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
);

-- One row that is never copied: a restored or moved calendar is another one, whose numbers of changes start anew.
-- `server` is the primary that last wrote; replicas that do not follow it name another.
CREATE TABLE epoch (
    id TEXT NOT NULL,
    server TEXT NOT NULL
);
INSERT INTO epoch (id, server) VALUES (left(replace(gen_random_uuid()::text, '-', ''), 16), '');

-- Every committed change, who made it, whether an anonymous reader could notice it (`public`), and the import or merge it is part of.
CREATE TABLE journal (
    rev BIGINT PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    action TEXT COLLATE "C" NOT NULL,
    public INTEGER NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    actor BIGINT NOT NULL DEFAULT 0,
    cause TEXT COLLATE "C" NOT NULL DEFAULT ''
);
CREATE INDEX journal_public ON journal (rev) WHERE public = 1;
-- By which what an import did is found, to be undone.
CREATE INDEX journal_cause ON journal (cause, kind, id) WHERE cause <> '';

-- People
-- ------

CREATE TABLE "user" (
    id BIGINT PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    name_key TEXT COLLATE "C" NOT NULL UNIQUE,
    role TEXT COLLATE "C" NOT NULL,
    password TEXT COLLATE "C" NOT NULL,
    created_utc TEXT COLLATE "C" NOT NULL,
    disabled INTEGER NOT NULL DEFAULT 0,
    language TEXT COLLATE "C" NOT NULL DEFAULT '',
    -- An account of the service itself, such as the author of what the public form brings: no person signs in with one, sees it
    -- among people, changes it or removes it.
    is_service INTEGER NOT NULL DEFAULT 0,
    email TEXT COLLATE "C" NOT NULL DEFAULT '',
    -- The kinds of messages that somebody has switched off, with spaces between.
    mail_off TEXT COLLATE "C" NOT NULL DEFAULT ''
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

CREATE TABLE session (
    id BIGINT PRIMARY KEY,
    "user" BIGINT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    digest BYTEA NOT NULL UNIQUE,
    agent TEXT COLLATE "C" NOT NULL,
    address TEXT COLLATE "C" NOT NULL,
    created_utc TEXT COLLATE "C" NOT NULL,
    expires_utc TEXT COLLATE "C" NOT NULL,
    used_utc TEXT COLLATE "C" NOT NULL
);
CREATE INDEX session_of_user ON session ("user");
CREATE INDEX session_expires ON session (expires_utc);

-- A link that is good for one use: to join with a role, or to set the password of a user.
CREATE TABLE one_time_link (
    id BIGINT PRIMARY KEY,
    digest BYTEA NOT NULL UNIQUE,
    purpose TEXT COLLATE "C" NOT NULL,
    "user" BIGINT REFERENCES "user" (id) ON DELETE CASCADE,
    role TEXT COLLATE "C" NOT NULL,
    note TEXT COLLATE "C" NOT NULL,
    author BIGINT REFERENCES "user" (id) ON DELETE CASCADE,
    created_utc TEXT COLLATE "C" NOT NULL,
    expires_utc TEXT COLLATE "C" NOT NULL,
    email TEXT COLLATE "C" NOT NULL DEFAULT ''
);
CREATE INDEX one_time_link_user ON one_time_link ("user");
CREATE INDEX one_time_link_author ON one_time_link (author);

-- Browsers in which somebody has signed in; only the digest of what a browser is known by is kept.
CREATE TABLE known_browser (
    "user" BIGINT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    digest BYTEA NOT NULL,
    used_utc TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY ("user", digest)
);

-- Guesses that went wrong, by what was guessed at and by whom.
CREATE TABLE throttle (
    key TEXT COLLATE "C" PRIMARY KEY,
    count INTEGER NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    blocked_until TEXT COLLATE "C" NOT NULL
);
CREATE INDEX throttle_at ON throttle (at);

-- Records
-- -------

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
    -- What the image shows, for those who do not see it, and the point that stays visible when it is cropped.
    alt TEXT COLLATE "C" NOT NULL DEFAULT '',
    focus TEXT COLLATE "C" NOT NULL DEFAULT '',
    -- The name that its file had when it was uploaded, and the same without case and accents.
    name TEXT COLLATE "C" NOT NULL DEFAULT '',
    sort_name TEXT COLLATE "C" NOT NULL DEFAULT '',
    EXCLUDE USING hash (source_url WITH =)
);

-- Series of events. Every occurrence is an event; the series has its rule, and the template of further occurrences.
CREATE TABLE series (
    id BIGINT PRIMARY KEY,
    author BIGINT NOT NULL REFERENCES "user" (id),
    status TEXT COLLATE "C" NOT NULL,
    -- The last change of any of its occurrences.
    rev BIGINT NOT NULL,
    -- The local time up to which it has occurrences; 9999-12-31 23:59:59 if it has them all.
    filled_to TEXT COLLATE "C" NOT NULL,
    -- Lines of iCalendar: RRULE, RDATE, EXDATE.
    recurrence TEXT COLLATE "C" NOT NULL,
    -- JSON: the fields and links of an occurrence that has nothing of its own, at the start of the series.
    template TEXT COLLATE "C" NOT NULL,
    -- The first series of the course: a series that is split becomes several, which all name it.
    series_of BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX series_filled ON series (filled_to);
CREATE INDEX series_author ON series (author);
CREATE INDEX series_by_course ON series (series_of);

-- What the template of each series names: venues, organizers, categories, tags and images ('media').
CREATE TABLE series_reference (
    kind TEXT COLLATE "C" NOT NULL,
    target BIGINT NOT NULL,
    series BIGINT NOT NULL REFERENCES series (id) ON DELETE CASCADE,
    PRIMARY KEY (kind, target, series)
);
CREATE INDEX series_reference_series ON series_reference (series);

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
    visibility_level INTEGER NOT NULL GENERATED ALWAYS AS (
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
    description TEXT COLLATE "C" NOT NULL,
    -- The row id by which the word index knows its text: its day, and a number within the day (store/rows/search_rows.py).
    search_row BIGINT NOT NULL DEFAULT 0,
    series BIGINT REFERENCES series (id),
    -- The local time at which the rule has the occurrence, wherever it was moved to.
    original_start TEXT COLLATE "C" NOT NULL DEFAULT '',
    -- JSON: the fields that were set on this occurrence alone.
    own_fields TEXT COLLATE "C" NOT NULL DEFAULT '[]',
    -- Where a record comes from: the other calendar or program, and the record's id there.
    source TEXT COLLATE "C" NOT NULL DEFAULT '',
    external_id TEXT COLLATE "C" NOT NULL DEFAULT '',
    -- Whether it takes place as planned.
    event_status TEXT NOT NULL DEFAULT 'scheduled',
    -- JSON by the keys of the custom fields.
    custom_fields TEXT COLLATE "C" NOT NULL DEFAULT '{}'
);
CREATE INDEX event_end ON event (end_local, end_utc) WHERE visibility_level > 0;
CREATE INDEX event_span ON event (span, start_local, end_local, start_utc, end_utc) WHERE visibility_level > 0;
CREATE INDEX event_password ON event (password) WHERE password IS NOT NULL;
CREATE INDEX event_future ON event (date_utc) WHERE status = 'future';
CREATE INDEX event_date ON event (date_utc, id);
CREATE INDEX event_modified ON event (modified_utc, id);
CREATE INDEX event_name ON event (sort_name, id);
CREATE INDEX event_parent ON event (post_parent) WHERE post_parent > 0;
CREATE INDEX event_image ON event (image) WHERE image IS NOT NULL;
-- Texts with pictures, in which a file is looked for.
CREATE INDEX event_pictured ON event (id) WHERE strpos(description, '<img') > 0;
CREATE UNIQUE INDEX event_slot ON event (search_row);
CREATE INDEX event_series ON event (series, original_start) WHERE series IS NOT NULL;
CREATE UNIQUE INDEX event_external ON event (external_id, source) WHERE external_id <> '';
CREATE INDEX event_author ON event (author, start_local, id, end_local, status, hide_from_listings, start_utc, end_utc);
CREATE INDEX event_series_rows ON event (series, start_local, id, end_local, status, visibility_level, start_utc, end_utc) WHERE series IS NOT NULL;
CREATE INDEX event_window ON event (start_local, id, end_local, visibility_level, start_utc, end_utc, series);
CREATE INDEX event_rev ON event (rev);
-- The different costs of events are found one by one; long ones, which no index of PostgreSQL takes, are few.
CREATE INDEX event_cost ON event (cost) WHERE length(cost) <= 500;
CREATE INDEX event_long_cost ON event (id) WHERE NOT (length(cost) <= 500);
CREATE INDEX event_unlisted ON event (start_local, id, end_local, status, hide_from_listings, start_utc, end_utc, series) WHERE visibility_level = 0;

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
    description TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL DEFAULT '',
    external_id TEXT COLLATE "C" NOT NULL DEFAULT '',
    -- It came with an event and is public with the first public event that shows it.
    waiting INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX venue_place ON venue (geo_lat, geo_lng) WHERE geo_lat IS NOT NULL;

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
    description TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL DEFAULT '',
    external_id TEXT COLLATE "C" NOT NULL DEFAULT '',
    waiting INTEGER NOT NULL DEFAULT 0
);

--each KIND: venue organizer
CREATE INDEX KIND_date ON KIND (date_utc DESC, id) WHERE status = 'publish';
CREATE INDEX KIND_name ON KIND (sort_name);
CREATE INDEX KIND_author ON KIND (author);
CREATE INDEX KIND_future ON KIND (date_utc) WHERE status = 'future';
CREATE INDEX KIND_image ON KIND (image) WHERE image IS NOT NULL;
CREATE UNIQUE INDEX KIND_external ON KIND (external_id, source) WHERE external_id <> '';
CREATE INDEX KIND_rev ON KIND (rev);
--end

--each KIND: category tag
CREATE TABLE KIND (
    id BIGINT PRIMARY KEY,
    parent BIGINT NOT NULL,
    slug TEXT COLLATE "C" NOT NULL,
    slug_key TEXT COLLATE "C" NOT NULL UNIQUE,
    name TEXT COLLATE "C" NOT NULL,
    name_key TEXT COLLATE "C" NOT NULL,
    sort_name TEXT COLLATE "C" NOT NULL,
    description TEXT COLLATE "C" NOT NULL,
    rev BIGINT NOT NULL,
    source TEXT COLLATE "C" NOT NULL DEFAULT '',
    external_id TEXT COLLATE "C" NOT NULL DEFAULT '',
    -- Only categories show it.
    color TEXT NOT NULL DEFAULT '',
    -- What a search looks through: the name and slug as plain words (values/names.py).
    words TEXT COLLATE "C" NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX KIND_sibling ON KIND (parent, md5(name_key));
CREATE INDEX KIND_name_key ON KIND USING hash (name_key);
CREATE INDEX KIND_name ON KIND (sort_name, id);
CREATE UNIQUE INDEX KIND_external ON KIND (external_id, source) WHERE external_id <> '';
CREATE INDEX KIND_rev ON KIND (rev);
--end
CREATE INDEX category_color ON category (color) WHERE color <> '';

-- Links of events
-- ---------------

--each KIND: venue organizer category tag
-- What an event is linked to. The event's visibility level and times are kept here again, so that "the events at this venue,
-- by start" is one walk along one index. `position` is the order given; a category that is there only because a child of
-- it is has none.
CREATE TABLE event_KIND (
    target BIGINT NOT NULL REFERENCES KIND (id) ON DELETE CASCADE,
    event BIGINT NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    position INTEGER,
    visibility_level INTEGER NOT NULL,
    start_local TEXT COLLATE "C" NOT NULL,
    end_local TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (target, event)
);
CREATE INDEX event_KIND_order ON event_KIND (event, "position");
CREATE INDEX event_KIND_open ON event_KIND (target, start_local, event, end_local) WHERE visibility_level = 2;
--end

-- Derived: counts, fragments, search
-- ----------------------------------

-- How many listed events start (edge 's') or end ('e') in a year, month or day (unit 4, 7 or 10: the length of its text),
-- and altogether (unit 0).
CREATE TABLE tally (
    scope TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    edge TEXT COLLATE "C" NOT NULL,
    unit INTEGER NOT NULL,
    day TEXT COLLATE "C" NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (scope, id, edge, unit, day)
);

-- Records as anonymous readers see them, rendered when they change. Posts are here by their id, terms, which have numbers of their
-- own, by theirs below zero. `render_version` tells with which code and settings; it is empty for what they do not see, and
-- 'pending' for events that are rendered after their transaction.
-- Nothing rests on a row being there. The number `part` goes up whenever a row changes that events show.
CREATE TABLE fragment (
    key BIGINT PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    render_version TEXT COLLATE "C" NOT NULL,
    sort_name TEXT COLLATE "C" NOT NULL,
    links TEXT COLLATE "C" NOT NULL,
    body BYTEA NOT NULL,
    detail BYTEA NOT NULL,
    -- What feeds show of a record, packed with the body as its dictionary (store/rows/fragments.py).
    entry BYTEA NOT NULL DEFAULT ''
) WITH (toast_tuple_target = 8160);
ALTER TABLE fragment ALTER body SET STORAGE EXTERNAL, ALTER detail SET STORAGE EXTERNAL;
CREATE INDEX fragment_pending ON fragment (key) WHERE render_version = 'pending';

-- The texts to search in. `search_row` is the row id by which the word index knows a text; `year` is the one that an event
-- starts in.
CREATE TABLE event_text (
    rowid BIGINT PRIMARY KEY,
    title TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    search_row BIGINT NOT NULL DEFAULT 0,
    year TEXT COLLATE "C" NOT NULL DEFAULT '',
    visibility_level BIGINT NOT NULL DEFAULT 2
);
CREATE INDEX event_text_words ON event_text USING gin ((title || chr(10) || body) gin_trgm_ops);
CREATE INDEX event_text_row ON event_text (search_row);

--each KIND: venue organizer
CREATE TABLE KIND_text (
    rowid BIGINT PRIMARY KEY,
    title TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    search_row BIGINT NOT NULL DEFAULT 0,
    year TEXT COLLATE "C" NOT NULL DEFAULT '',
    visibility_level BIGINT NOT NULL DEFAULT 2
);
CREATE INDEX KIND_text_words ON KIND_text USING gin ((title || chr(10) || body) gin_trgm_ops);
--end

-- The words of titles and names, as searched and as written, by which a misspelt one is corrected. None is removed: what
-- a reader is offered, a search has found for them (store/rows/search_rows.py).
CREATE TABLE word (
    word TEXT COLLATE "C" PRIMARY KEY,
    written TEXT COLLATE "C" NOT NULL
);
CREATE INDEX word_trigrams ON word USING gin (word gin_trgm_ops);

-- The tokens of the word index are a format with a number (store/search/word_index.py).
CREATE TABLE word_index (
    kind TEXT COLLATE "C" PRIMARY KEY,
    -- 0: it has to be rebuilt.
    format INTEGER NOT NULL,
    -- The rowid of the last text in it, or the greatest number there is.
    indexed_to BIGINT NOT NULL
);
--each KIND: event venue organizer category tag media
INSERT INTO word_index VALUES ('KIND', 3, 9223372036854775807);
--end

-- Former addresses and merged records
-- -----------------------------------

-- Old addresses of records: after a new slug, and after two records became one. That of an event that was deleted has the
-- target 0: it leads to the other dates of its series, or to what else takes place at its venue.
CREATE TABLE redirect (
    kind TEXT COLLATE "C" NOT NULL,
    slug_key TEXT COLLATE "C" NOT NULL,
    target BIGINT NOT NULL,
    series BIGINT,
    venue BIGINT,
    PRIMARY KEY (kind, slug_key)
);

-- Records that were merged, by their ids: whatever still names the old one (an earlier version, an import) means the target.
-- Never in chains: what was merged into a record that is merged itself follows it. `undo` (JSON): what takes the merge back.
CREATE TABLE merged (
    kind TEXT COLLATE "C" NOT NULL,
    old BIGINT NOT NULL,
    target BIGINT NOT NULL,
    undo TEXT COLLATE "C" NOT NULL DEFAULT '',
    PRIMARY KEY (kind, old)
);
CREATE INDEX merged_target ON merged (kind, target);

-- Work for later
-- --------------

-- Work for later. `due_utc` is when it may be taken; while a process (`holder`) runs it, when its lease ends.
-- With a `rev`, it also waits for a change after that one. `asked` counts how often it was asked for.
CREATE TABLE task (
    kind TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    due_utc TEXT COLLATE "C" NOT NULL,
    rev BIGINT,
    holder TEXT COLLATE "C" NOT NULL,
    tries INTEGER NOT NULL,
    asked INTEGER NOT NULL,
    error TEXT COLLATE "C" NOT NULL,
    failed_utc TEXT COLLATE "C" NOT NULL,
    payload TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (kind, key)
);
CREATE INDEX task_due ON task (kind, due_utc, key);

-- History and review
-- ------------------

-- What a change replaced, and whose record it was then: a new author does not read what was before.
CREATE TABLE version (
    rev BIGINT PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    data TEXT COLLATE "C" NOT NULL,
    author BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX version_of_record ON version (kind, id, rev);

-- Notes of editors to the authors of events that wait for review; `addressee` is who the author was then.
CREATE TABLE review_note (
    id BIGINT PRIMARY KEY,
    event BIGINT NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    author BIGINT NOT NULL,
    addressee BIGINT NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    text TEXT COLLATE "C" NOT NULL
);
CREATE INDEX review_note_event ON review_note (event, id);

-- Who sent an event by the public form.
CREATE TABLE submission (
    event BIGINT REFERENCES event (id) ON DELETE CASCADE PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    email TEXT COLLATE "C" NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    language TEXT COLLATE "C" NOT NULL DEFAULT '',
    confirmed_utc TEXT COLLATE "C" NOT NULL DEFAULT ''
);

-- Changes
-- -------

-- What GET /changes tells of records that somebody could read and no longer can. `reader`: a user's id (it was theirs),
-- 0 (everybody: it was published) or -1 (those who read everything: it existed). `status` (before the trash) and
-- `is_protected` decide whether that reader saw all fields. A row tells nothing while its reader can read the record.
-- `is_hidden`: it was hidden from lists, so it concerns who asks for such.
-- Triggers write it, so that no way of changing a record can forget to.
CREATE TABLE change_gone (
    kind TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    reader BIGINT NOT NULL,
    is_hidden INTEGER NOT NULL,
    rev BIGINT NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    is_protected INTEGER NOT NULL,
    slug TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    external_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (kind, id, reader, is_hidden)
);
CREATE INDEX change_gone_order ON change_gone (reader, rev);

-- What a transaction found of a record whose readers, address or origin it changes, before its first such change: what was
-- public only within a transaction is told to nobody. `began` is the last change before the transaction.
CREATE TABLE change_before (
    kind TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    began BIGINT NOT NULL,
    is_public INTEGER NOT NULL,
    author BIGINT NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    is_protected INTEGER NOT NULL,
    slug TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    external_id TEXT COLLATE "C" NOT NULL,
    is_hidden INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE INDEX change_before_order ON change_before (began);

-- What else changes events that show it, or what somebody reads: the rule of a series, whether an event can be read that
-- is the parent of others, the role of a user; each with its last such change. What was withdrawn up to the change
-- 'known after' is not known, or no longer.
CREATE TABLE change_cause (
    kind TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    rev BIGINT NOT NULL,
    PRIMARY KEY (kind, id)
);
INSERT INTO change_cause (kind, id, rev) VALUES ('known after', 0, 0);
CREATE INDEX change_cause_order ON change_cause (rev);

-- The events that showed a record when it was deleted: their links went with it.
CREATE TABLE change_unlinked (
    kind TEXT COLLATE "C" NOT NULL,
    target BIGINT NOT NULL,
    event BIGINT NOT NULL,
    rev BIGINT NOT NULL,
    PRIMARY KEY (kind, target, event)
);
CREATE INDEX change_unlinked_order ON change_unlinked (rev);

-- Custom fields
-- -------------

-- The custom fields of events once more to find events by: a row for each value, comparable as text and as a number, with
-- the copies that the links of events have.
CREATE TABLE event_custom (
    event BIGINT NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    field BIGINT NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    number DOUBLE PRECISION,
    visibility_level INTEGER NOT NULL,
    start_local TEXT COLLATE "C" NOT NULL,
    end_local TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (event, field, value)
);
CREATE INDEX event_custom_value ON event_custom (field, value, start_local, visibility_level);
CREATE INDEX event_custom_number ON event_custom (field, number, start_local, visibility_level) WHERE number IS NOT NULL;

-- Triggers
-- --------

-- The first number of a transaction tells what came before it: a setting that lasts as long as the transaction.
CREATE FUNCTION transaction_began() RETURNS BIGINT LANGUAGE sql STABLE AS $$
    SELECT coalesce(nullif(current_setting('kalends.began', true), '')::bigint, 9223372036854775807);
$$;
CREATE FUNCTION transaction_begun() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('kalends.began', OLD.last::text, true);
    RETURN NULL;
END;
$$;
CREATE TRIGGER transaction_begun AFTER UPDATE ON sequence FOR EACH ROW
WHEN (OLD.name = 'rev' AND coalesce(current_setting('kalends.began', true), '') = '')
EXECUTE FUNCTION transaction_begun();

CREATE FUNCTION note_before(kind TEXT, record JSONB) RETURNS VOID LANGUAGE sql AS $$
    INSERT INTO change_before (kind, id, began, is_public, author, status, is_protected, slug, source, external_id, is_hidden)
    SELECT
        $1, ($2 ->> 'id')::bigint, transaction_began(),
        CASE WHEN coalesce($2 ->> 'status', 'publish') = 'publish' THEN 1 ELSE 0 END,
        coalesce(($2 ->> 'author')::bigint, 0),
        coalesce(CASE $2 ->> 'status' WHEN 'trash' THEN $2 ->> 'trashed_from' ELSE $2 ->> 'status' END, ''),
        CASE WHEN $2 ->> 'password' IS NULL THEN 0 ELSE 1 END,
        $2 ->> 'slug', $2 ->> 'source', $2 ->> 'external_id', coalesce(($2 ->> 'hide_from_listings')::integer, 0)
    WHERE ($2 ->> 'rev')::bigint <= transaction_began() OR NOT EXISTS (
        SELECT 1 FROM journal j
        WHERE j.rev > transaction_began() AND j.kind = $1 AND j.id = ($2 ->> 'id')::bigint AND j.action = 'create'
    )
    ON CONFLICT (kind, id) DO UPDATE SET
        began = excluded.began, is_public = excluded.is_public, author = excluded.author, status = excluded.status,
        is_protected = excluded.is_protected, slug = excluded.slug, source = excluded.source,
        external_id = excluded.external_id, is_hidden = excluded.is_hidden
    WHERE change_before.began <> excluded.began;
$$;

CREATE FUNCTION note_gone(kind TEXT, id BIGINT, reader BIGINT, rev BIGINT) RETURNS VOID LANGUAGE sql AS $$
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id, is_hidden)
    SELECT b.kind, b.id, $3, $4, b.status, b.is_protected, b.slug, b.source, b.external_id, b.is_hidden
    FROM change_before b WHERE b.kind = $1 AND b.id = $2 AND b.began = transaction_began()
    ON CONFLICT (kind, id, reader, is_hidden) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
$$;

CREATE FUNCTION note_cause(kind TEXT, id BIGINT, rev BIGINT) RETURNS VOID LANGUAGE sql AS $$
    INSERT INTO change_cause (kind, id, rev) VALUES ($1, $2, $3)
    ON CONFLICT (kind, id) DO UPDATE SET rev = excluded.rev;
$$;

CREATE FUNCTION about_to_change() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_before(TG_TABLE_NAME, to_jsonb(OLD));
    RETURN NEW;
END;
$$;

CREATE FUNCTION read_by_others() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    before RECORD;
    hides INTEGER := 0;
    is_public INTEGER := CASE NEW.status WHEN 'publish' THEN 1 ELSE 0 END;
BEGIN
    IF TG_TABLE_NAME = 'event' THEN
        hides := NEW.hide_from_listings;
    END IF;
    SELECT b.is_public, b.author, b.is_hidden, b.status INTO before FROM change_before b
    WHERE b.kind = TG_TABLE_NAME AND b.id = NEW.id AND b.began = transaction_began();
    IF before.is_public = 1 AND before.is_hidden = 0 AND (is_public = 0 OR hides = 1) THEN
        PERFORM note_gone(TG_TABLE_NAME, NEW.id, 0, NEW.rev);
    END IF;
    IF before.is_hidden < hides THEN
        PERFORM note_gone(TG_TABLE_NAME, NEW.id, -1, NEW.rev);
    END IF;
    -- Who may not change what is published no longer has it among the hidden ones.
    IF before.author > 0 AND (
        before.author <> NEW.author OR before.is_hidden < hides
        OR (before.is_hidden = 1 AND before.status NOT IN ('publish', 'future'))
    ) THEN
        PERFORM note_gone(TG_TABLE_NAME, NEW.id, before.author, NEW.rev);
    END IF;
    IF TG_TABLE_NAME = 'event'
        AND (OLD.author <> NEW.author OR (OLD.status = 'publish') <> (NEW.status = 'publish'))
        AND EXISTS (SELECT 1 FROM event WHERE post_parent = NEW.id AND post_parent > 0) THEN
        PERFORM note_cause('event', NEW.id, NEW.rev);
    END IF;
    RETURN NULL;
END;
$$;

CREATE FUNCTION deleted_for_good() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    before RECORD;
    last BIGINT := (
        SELECT j.rev FROM journal j WHERE j.kind = TG_TABLE_NAME AND j.id = OLD.id ORDER BY j.rev DESC LIMIT 1
    );
BEGIN
    PERFORM note_before(TG_TABLE_NAME, to_jsonb(OLD));
    SELECT b.is_public, b.author, b.is_hidden INTO before FROM change_before b
    WHERE b.kind = TG_TABLE_NAME AND b.id = OLD.id AND b.began = transaction_began();
    PERFORM note_gone(TG_TABLE_NAME, OLD.id, -1, last);
    IF before.is_public = 1 AND before.is_hidden = 0 THEN
        PERFORM note_gone(TG_TABLE_NAME, OLD.id, 0, last);
    END IF;
    IF before.author > 0 THEN
        PERFORM note_gone(TG_TABLE_NAME, OLD.id, before.author, last);
    END IF;
    DELETE FROM change_before b WHERE b.kind = TG_TABLE_NAME AND b.id = OLD.id;
    IF TG_TABLE_NAME <> 'event' THEN
        EXECUTE format(
            'INSERT INTO change_unlinked (kind, target, event, rev)'
            ' SELECT $1, $2, event, $3 FROM %I WHERE target = $2 AND position IS NOT NULL ON CONFLICT DO NOTHING',
            'event_' || TG_TABLE_NAME
        ) USING TG_TABLE_NAME, OLD.id, last;
    ELSIF EXISTS (SELECT 1 FROM change_unlinked u WHERE u.kind = 'event' AND u.target = OLD.id) THEN
        PERFORM note_cause('event', OLD.id, last);
    END IF;
    RETURN OLD;
END;
$$;

CREATE TRIGGER event_before
BEFORE UPDATE OF status, author, slug, source, external_id, password, hide_from_listings ON event FOR EACH ROW
WHEN (
    OLD.status <> NEW.status OR OLD.author <> NEW.author OR OLD.slug <> NEW.slug OR OLD.source <> NEW.source
    OR OLD.external_id <> NEW.external_id OR (OLD.password IS NULL) <> (NEW.password IS NULL)
    OR OLD.hide_from_listings <> NEW.hide_from_listings
)
EXECUTE FUNCTION about_to_change();
--each KIND: venue organizer
CREATE TRIGGER KIND_before BEFORE UPDATE OF status, author, slug, source, external_id ON KIND FOR EACH ROW
WHEN (
    OLD.status <> NEW.status OR OLD.author <> NEW.author OR OLD.slug <> NEW.slug OR OLD.source <> NEW.source
    OR OLD.external_id <> NEW.external_id
)
EXECUTE FUNCTION about_to_change();
--end
--each KIND: category tag
CREATE TRIGGER KIND_before BEFORE UPDATE OF slug, source, external_id ON KIND FOR EACH ROW
WHEN (OLD.slug <> NEW.slug OR OLD.source <> NEW.source OR OLD.external_id <> NEW.external_id)
EXECUTE FUNCTION about_to_change();
--end
CREATE TRIGGER event_read_by_others AFTER UPDATE OF status, author, hide_from_listings ON event FOR EACH ROW
WHEN (
    OLD.author <> NEW.author OR OLD.status <> NEW.status OR OLD.hide_from_listings <> NEW.hide_from_listings
)
EXECUTE FUNCTION read_by_others();
--each KIND: venue organizer
CREATE TRIGGER KIND_read_by_others AFTER UPDATE OF status, author ON KIND FOR EACH ROW
WHEN (OLD.author <> NEW.author OR (OLD.status = 'publish') <> (NEW.status = 'publish'))
EXECUTE FUNCTION read_by_others();
--end
--each KIND: event venue organizer category tag
CREATE TRIGGER KIND_deleted BEFORE DELETE ON KIND FOR EACH ROW EXECUTE FUNCTION deleted_for_good();
--end
