-- The whole schema of a calendar in SQLite. What differs in PostgreSQL is in the file of this name there.

-- Numbers, settings, changes
-- --------------------------

-- One number space for events, venues, organizers, series and images, and one each for other kinds. A number names one thing for
-- ever, so the last number is kept apart from the rows.
CREATE TABLE sequence (
    name TEXT PRIMARY KEY,
    last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO sequence (name, last) VALUES
    ('post', 0), ('term', 0), ('user', 0), ('token', 0), ('rev', 0), ('part', 0), ('session', 0), ('link', 0), ('note', 0);

-- Numbers of a sequence that were passed over and never named anything: an import may still give them to the records that
-- have them at their source.
CREATE TABLE number_gap (
    name TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (name, first)
) STRICT, WITHOUT ROWID;

CREATE TABLE site (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row that is never copied: a restored or moved calendar is another one, whose numbers of changes start anew.
-- `server` is the primary that last wrote; replicas that do not follow it name another.
CREATE TABLE epoch (
    id TEXT NOT NULL,
    server TEXT NOT NULL
);
INSERT INTO epoch (id, server) VALUES (lower(hex(randomblob(8))), '');

-- Every committed change, who made it, whether an anonymous reader could notice it (`public`), and the import or merge it is part of.
CREATE TABLE journal (
    rev INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    action TEXT NOT NULL,
    public INTEGER NOT NULL,
    at TEXT NOT NULL,
    actor INTEGER NOT NULL DEFAULT 0,
    cause TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX journal_public ON journal (rev) WHERE public = 1;
-- By which what an import did is found, to be undone.
CREATE INDEX journal_cause ON journal (cause, kind, id) WHERE cause <> '';

-- People
-- ------

CREATE TABLE "user" (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    password TEXT NOT NULL,
    created_utc TEXT NOT NULL,
    disabled INTEGER NOT NULL DEFAULT 0,
    language TEXT NOT NULL DEFAULT '',
    -- An account of the service itself, such as the author of what the public form brings: no person signs in with one, sees it
    -- among people, changes it or removes it.
    is_service INTEGER NOT NULL DEFAULT 0,
    email TEXT NOT NULL DEFAULT '',
    -- The kinds of messages that somebody has switched off, with spaces between.
    mail_off TEXT NOT NULL DEFAULT ''
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

CREATE TABLE session (
    id INTEGER PRIMARY KEY,
    "user" INTEGER NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    digest BLOB NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    address TEXT NOT NULL,
    created_utc TEXT NOT NULL,
    expires_utc TEXT NOT NULL,
    used_utc TEXT NOT NULL
) STRICT;
CREATE INDEX session_of_user ON session ("user");
CREATE INDEX session_expires ON session (expires_utc);

-- A link that is good for one use: to join with a role, or to set the password of a user.
CREATE TABLE one_time_link (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    purpose TEXT NOT NULL,
    "user" INTEGER REFERENCES "user" (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    note TEXT NOT NULL,
    author INTEGER REFERENCES "user" (id) ON DELETE CASCADE,
    created_utc TEXT NOT NULL,
    expires_utc TEXT NOT NULL,
    email TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX one_time_link_user ON one_time_link ("user");
CREATE INDEX one_time_link_author ON one_time_link (author);

-- Browsers in which somebody has signed in; only the digest of what a browser is known by is kept.
CREATE TABLE known_browser (
    "user" INTEGER NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    digest BLOB NOT NULL,
    used_utc TEXT NOT NULL,
    PRIMARY KEY ("user", digest)
) STRICT;

-- Guesses that went wrong, by what was guessed at and by whom.
CREATE TABLE throttle (
    key TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    at TEXT NOT NULL,
    blocked_until TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX throttle_at ON throttle (at);

-- Records
-- -------

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
    created_utc TEXT NOT NULL,
    -- What the image shows, for those who do not see it, and the point that stays visible when it is cropped.
    alt TEXT NOT NULL DEFAULT '',
    focus TEXT NOT NULL DEFAULT '',
    -- The name that its file had when it was uploaded, and the same without case and accents.
    name TEXT NOT NULL DEFAULT '',
    sort_name TEXT NOT NULL DEFAULT ''
) STRICT;

-- Series of events. Every occurrence is an event; the series has its rule, and the template of further occurrences.
CREATE TABLE series (
    id INTEGER PRIMARY KEY,
    author INTEGER NOT NULL REFERENCES "user" (id),
    status TEXT NOT NULL,
    -- The last change of any of its occurrences.
    rev INTEGER NOT NULL,
    -- The local time up to which it has occurrences; 9999-12-31 23:59:59 if it has them all.
    filled_to TEXT NOT NULL,
    -- Lines of iCalendar: RRULE, RDATE, EXDATE.
    recurrence TEXT NOT NULL,
    -- JSON: the fields and links of an occurrence that has nothing of its own, at the start of the series.
    template TEXT NOT NULL,
    -- The first series of the course: a series that is split becomes several, which all name it.
    series_of INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX series_filled ON series (filled_to);
CREATE INDEX series_author ON series (author);
CREATE INDEX series_by_course ON series (series_of);

-- What the template of each series names: venues, organizers, categories, tags and images ('media').
CREATE TABLE series_reference (
    kind TEXT NOT NULL,
    target INTEGER NOT NULL,
    series INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
    PRIMARY KEY (kind, target, series)
) STRICT, WITHOUT ROWID;
CREATE INDEX series_reference_series ON series_reference (series);

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
    visibility_level INTEGER NOT NULL GENERATED ALWAYS AS (
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
    description TEXT NOT NULL,
    -- The row id by which the word index knows its text: its day, and a number within the day (store/rows/search_rows.py).
    search_row INTEGER NOT NULL DEFAULT 0,
    series INTEGER REFERENCES series (id),
    -- The local time at which the rule has the occurrence, wherever it was moved to.
    original_start TEXT NOT NULL DEFAULT '',
    -- JSON: the fields that were set on this occurrence alone.
    own_fields TEXT NOT NULL DEFAULT '[]',
    -- Where a record comes from: the other calendar or program, and the record's id there.
    source TEXT NOT NULL DEFAULT '',
    external_id TEXT NOT NULL DEFAULT '',
    -- Whether it takes place as planned.
    event_status TEXT NOT NULL DEFAULT 'scheduled',
    -- JSON by the keys of the custom fields.
    custom_fields TEXT NOT NULL DEFAULT '{}'
) STRICT;
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
CREATE INDEX event_pictured ON event (id) WHERE (instr(description, '<img') > 0);
CREATE UNIQUE INDEX event_slot ON event (search_row);
-- What a search asks of the events that it found.
CREATE INDEX event_brief ON event (search_row, id, start_local, end_local, visibility_level, start_utc, end_utc);
CREATE INDEX event_series ON event (series, original_start) WHERE series IS NOT NULL;
CREATE UNIQUE INDEX event_external ON event (external_id, source) WHERE external_id <> '';
CREATE INDEX event_author ON event (author, start_local, id, end_local, status, hide_from_listings, start_utc, end_utc);
CREATE INDEX event_series_rows
    ON event (series, start_local, id, end_local, status, visibility_level, start_utc, end_utc) WHERE series IS NOT NULL;
CREATE INDEX event_window ON event (start_local, id, end_local, visibility_level, start_utc, end_utc, series);
CREATE INDEX event_rev ON event (rev);
-- The different costs of events are found one by one; long ones, which no index of PostgreSQL takes, are few.
CREATE INDEX event_cost ON event (cost) WHERE (length(cost) <= 500);
CREATE INDEX event_long_cost ON event (id) WHERE NOT (length(cost) <= 500);
CREATE INDEX event_unlisted
    ON event (start_local, id, end_local, status, hide_from_listings, start_utc, end_utc, series)
    WHERE visibility_level = 0;

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
    description TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT '',
    external_id TEXT NOT NULL DEFAULT '',
    -- It came with an event and is public with the first public event that shows it.
    waiting INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX venue_place ON venue (geo_lat, geo_lng) WHERE geo_lat IS NOT NULL;

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
    description TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT '',
    external_id TEXT NOT NULL DEFAULT '',
    waiting INTEGER NOT NULL DEFAULT 0
) STRICT;

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
    id INTEGER PRIMARY KEY,
    parent INTEGER NOT NULL,
    slug TEXT NOT NULL,
    slug_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    sort_name TEXT NOT NULL,
    description TEXT NOT NULL,
    rev INTEGER NOT NULL,
    source TEXT NOT NULL DEFAULT '',
    external_id TEXT NOT NULL DEFAULT '',
    -- Only categories show it.
    color TEXT NOT NULL DEFAULT '',
    -- What a search looks through: the name and slug as plain words (values/names.py).
    words TEXT NOT NULL DEFAULT '',
    UNIQUE (parent, name_key)
) STRICT;
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
    target INTEGER NOT NULL REFERENCES KIND (id) ON DELETE CASCADE,
    event INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    position INTEGER,
    visibility_level INTEGER NOT NULL,
    start_local TEXT NOT NULL,
    end_local TEXT NOT NULL,
    PRIMARY KEY (target, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_KIND_order ON event_KIND (event, position);
CREATE INDEX event_KIND_open ON event_KIND (target, start_local, event, end_local) WHERE visibility_level = 2;
--end

-- Derived: counts, fragments, search
-- ----------------------------------

-- How many listed events start (edge 's') or end ('e') in a year, month or day (unit 4, 7 or 10: the length of its text),
-- and altogether (unit 0).
CREATE TABLE tally (
    scope TEXT NOT NULL,
    id INTEGER NOT NULL,
    edge TEXT NOT NULL,
    unit INTEGER NOT NULL,
    day TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (scope, id, edge, unit, day)
) STRICT, WITHOUT ROWID;

-- Records as anonymous readers see them, rendered when they change. Posts are here by their id, terms, which have numbers of their
-- own, by theirs below zero. `render_version` tells with which code and settings; it is empty for what they do not see, and
-- 'pending' for events that are rendered after their transaction.
-- Nothing rests on a row being there. The number `part` goes up whenever a row changes that events show.
CREATE TABLE fragment (
    key INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    render_version TEXT NOT NULL,
    sort_name TEXT NOT NULL,
    links TEXT NOT NULL,
    body BLOB NOT NULL,
    detail BLOB NOT NULL,
    -- What feeds show of a record, packed with the body as its dictionary (store/rows/fragments.py).
    entry BLOB NOT NULL DEFAULT x''
) STRICT;
CREATE INDEX fragment_pending ON fragment (key) WHERE render_version = 'pending';

-- The texts to search in. `search_row` is the row id by which the word index knows a text; `year` is the one that an event
-- starts in.
CREATE TABLE event_text (
    rowid INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    search_row INTEGER NOT NULL,
    year TEXT NOT NULL,
    visibility_level INTEGER NOT NULL
) STRICT;
-- The longest texts are not in the index of words but looked through.
CREATE INDEX event_text_long ON event_text (search_row)
WHERE length(CAST(title AS BLOB)) + length(CAST(body AS BLOB)) > 50000;

CREATE VIRTUAL TABLE event_words USING fts5 (
    endings, content = '', columnsize = 0, detail = none, prefix = '5 6',
    tokenize = 'ascii tokenchars ''!"#$%&''''''''()*+,-./:;<=>?@[\]^_`{|}~'''
);
-- It merges its parts when eight of a size have gathered, instead of four: a create takes a tenth less time, and a search
-- looks through a few parts more.
INSERT INTO event_words (event_words, rank) VALUES ('automerge', 8);

--each KIND: venue organizer
CREATE TABLE KIND_text (
    rowid INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    search_row INTEGER NOT NULL,
    year TEXT NOT NULL,
    visibility_level INTEGER NOT NULL
) STRICT;
CREATE INDEX KIND_text_long ON KIND_text (search_row)
WHERE length(CAST(title AS BLOB)) + length(CAST(body AS BLOB)) > 50000;

CREATE VIRTUAL TABLE KIND_words USING fts5 (
    endings, content = '', columnsize = 0, detail = none, prefix = '1 2',
    tokenize = 'ascii tokenchars ''!"#$%&''''''''()*+,-./:;<=>?@[\]^_`{|}~'''
);
--end

-- The words of titles and names, as searched and as written, by which a misspelt one is corrected. None is removed: what
-- a reader is offered, a search has found for them (store/rows/search_rows.py).
CREATE TABLE word (
    word TEXT PRIMARY KEY,
    written TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE word_trigrams USING fts5 (padded, word UNINDEXED, written UNINDEXED, tokenize = 'trigram');
CREATE TRIGGER word_added AFTER INSERT ON word BEGIN
    INSERT INTO word_trigrams (padded, word, written) VALUES ('  ' || new.word || ' ', new.word, new.written);
END;

-- The tokens of the word index are a format with a number (store/search/word_index.py).
CREATE TABLE word_index (
    kind TEXT PRIMARY KEY,
    -- 0: it has to be rebuilt.
    format INTEGER NOT NULL,
    -- The rowid of the last text in it, or the greatest number there is.
    indexed_to INTEGER NOT NULL
) STRICT;
--each KIND: event venue organizer category tag media
INSERT INTO word_index VALUES ('KIND', 3, 9223372036854775807);
--end

-- Former addresses and merged records
-- -----------------------------------

-- Old addresses of records: after a new slug, and after two records became one. That of an event that was deleted has the
-- target 0: it leads to the other dates of its series, or to what else takes place at its venue.
CREATE TABLE redirect (
    kind TEXT NOT NULL,
    slug_key TEXT NOT NULL,
    target INTEGER NOT NULL,
    series INTEGER,
    venue INTEGER,
    PRIMARY KEY (kind, slug_key)
) STRICT, WITHOUT ROWID;

-- Records that were merged, by their ids: whatever still names the old one (an earlier version, an import) means the target.
-- Never in chains: what was merged into a record that is merged itself follows it. `undo` (JSON): what takes the merge back.
CREATE TABLE merged (
    kind TEXT NOT NULL,
    old INTEGER NOT NULL,
    target INTEGER NOT NULL,
    undo TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (kind, old)
) STRICT, WITHOUT ROWID;
CREATE INDEX merged_target ON merged (kind, target);

-- Work for later
-- --------------

-- Work for later. `due_utc` is when it may be taken; while a process (`holder`) runs it, when its lease ends.
-- With a `rev`, it also waits for a change after that one. `asked` counts how often it was asked for.
CREATE TABLE task (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    due_utc TEXT NOT NULL,
    rev INTEGER,
    holder TEXT NOT NULL,
    tries INTEGER NOT NULL,
    asked INTEGER NOT NULL,
    error TEXT NOT NULL,
    failed_utc TEXT NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (kind, key)
);
CREATE INDEX task_due ON task (kind, due_utc, key);

-- History and review
-- ------------------

-- What a change replaced, and whose record it was then: a new author does not read what was before.
CREATE TABLE version (
    rev INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    at TEXT NOT NULL,
    data TEXT NOT NULL,
    author INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX version_of_record ON version (kind, id, rev);

-- Notes of editors to the authors of events that wait for review; `addressee` is who the author was then.
CREATE TABLE review_note (
    id INTEGER PRIMARY KEY,
    event INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    author INTEGER NOT NULL,
    addressee INTEGER NOT NULL,
    at TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX review_note_event ON review_note (event, id);

-- Who sent an event by the public form.
CREATE TABLE submission (
    event INTEGER PRIMARY KEY REFERENCES event (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    at TEXT NOT NULL,
    language TEXT NOT NULL DEFAULT '',
    confirmed_utc TEXT NOT NULL DEFAULT ''
) STRICT;

-- Changes
-- -------

-- What GET /changes tells of records that somebody could read and no longer can. `reader`: a user's id (it was theirs),
-- 0 (everybody: it was published) or -1 (those who read everything: it existed). `status` (before the trash) and
-- `is_protected` decide whether that reader saw all fields. A row tells nothing while its reader can read the record.
-- `is_hidden`: it was hidden from lists, so it concerns who asks for such.
-- Triggers write it, so that no way of changing a record can forget to.
CREATE TABLE change_gone (
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    reader INTEGER NOT NULL,
    is_hidden INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    status TEXT NOT NULL,
    is_protected INTEGER NOT NULL,
    slug TEXT NOT NULL,
    source TEXT NOT NULL,
    external_id TEXT NOT NULL,
    PRIMARY KEY (kind, id, reader, is_hidden)
) STRICT, WITHOUT ROWID;
CREATE INDEX change_gone_order ON change_gone (reader, rev);

-- What a transaction found of a record whose readers, address or origin it changes, before its first such change: what was
-- public only within a transaction is told to nobody. `began` is the last change before the transaction.
CREATE TABLE change_before (
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    began INTEGER NOT NULL,
    is_public INTEGER NOT NULL,
    author INTEGER NOT NULL,
    status TEXT NOT NULL,
    is_protected INTEGER NOT NULL,
    slug TEXT NOT NULL,
    source TEXT NOT NULL,
    external_id TEXT NOT NULL,
    is_hidden INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX change_before_order ON change_before (began);

-- What else changes events that show it, or what somebody reads: the rule of a series, whether an event can be read that
-- is the parent of others, the role of a user; each with its last such change. What was withdrawn up to the change
-- 'known after' is not known, or no longer.
CREATE TABLE change_cause (
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
INSERT INTO change_cause (kind, id, rev) VALUES ('known after', 0, 0);
CREATE INDEX change_cause_order ON change_cause (rev);

-- The events that showed a record when it was deleted: their links went with it.
CREATE TABLE change_unlinked (
    kind TEXT NOT NULL,
    target INTEGER NOT NULL,
    event INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    PRIMARY KEY (kind, target, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX change_unlinked_order ON change_unlinked (rev);

-- Custom fields
-- -------------

-- The custom fields of events once more to find events by: a row for each value, comparable as text and as a number, with
-- the copies that the links of events have.
CREATE TABLE event_custom (
    event INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    field INTEGER NOT NULL,
    value TEXT NOT NULL,
    number REAL,
    visibility_level INTEGER NOT NULL,
    start_local TEXT NOT NULL,
    end_local TEXT NOT NULL,
    PRIMARY KEY (event, field, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_custom_value ON event_custom (field, value, start_local, visibility_level);
CREATE INDEX event_custom_number ON event_custom (field, number, start_local, visibility_level)
    WHERE number IS NOT NULL;

-- Triggers
-- --------

-- A text brings its tokens into the word index, and takes them out; functions of ours that every connection knows make them.
-- A process that makes another format than that of the index asks for it to be rebuilt.
--each KIND: event venue organizer
CREATE TRIGGER KIND_text_added AFTER INSERT ON KIND_text
WHEN new.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'KIND' AND format = word_format()) BEGIN
    INSERT INTO KIND_words (rowid, endings)
    VALUES (new.search_row, word_endings(new.year, new.visibility_level, new.title, new.body));
END;
CREATE TRIGGER KIND_text_gone AFTER DELETE ON KIND_text
WHEN old.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'KIND' AND format = word_format()) BEGIN
    INSERT INTO KIND_words (KIND_words, rowid, endings)
    VALUES ('delete', old.search_row, word_endings(old.year, old.visibility_level, old.title, old.body));
END;
CREATE TRIGGER KIND_text_added_elsewhere AFTER INSERT ON KIND_text
WHEN new.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'KIND' AND format <> word_format()) BEGIN
    UPDATE word_index SET format = 0 WHERE kind = 'KIND';
END;
CREATE TRIGGER KIND_text_gone_elsewhere AFTER DELETE ON KIND_text
WHEN old.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'KIND' AND format <> word_format()) BEGIN
    UPDATE word_index SET format = 0 WHERE kind = 'KIND';
END;
--end

-- A text that changes in place: only the tokens that it loses and gains are written (store/engine/suffix_index.py).
CREATE TRIGGER event_text_changed AFTER UPDATE ON event_text
WHEN new.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'event' AND format = word_format()) BEGIN
    INSERT INTO event_words (event_words, rowid, endings) VALUES (
        'delete',
        old.search_row,
        word_endings_lost(
            old.year, old.visibility_level, old.title, old.body, new.year, new.visibility_level, new.title, new.body
        )
    );
    INSERT INTO event_words (rowid, endings) VALUES (
        new.search_row,
        word_endings_gained(
            old.year, old.visibility_level, old.title, old.body, new.year, new.visibility_level, new.title, new.body
        )
    );
END;
CREATE TRIGGER event_text_changed_elsewhere AFTER UPDATE ON event_text
WHEN new.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'event' AND format <> word_format()) BEGIN
    UPDATE word_index SET format = 0 WHERE kind = 'event';
END;

-- The first number of a transaction tells what came before it. It is known to the connection until the transaction ends.
CREATE TRIGGER transaction_begun AFTER UPDATE ON sequence WHEN new.name = 'rev' BEGIN
    SELECT transaction_begun(old.last);
END;

CREATE TRIGGER event_before BEFORE UPDATE OF status, author, slug, source, external_id, password, hide_from_listings ON event
WHEN old.status <> new.status OR old.author <> new.author OR old.slug <> new.slug
    OR old.source <> new.source OR old.external_id <> new.external_id OR (old.password IS NULL) <> (new.password IS NULL)
    OR old.hide_from_listings <> new.hide_from_listings BEGIN
    INSERT INTO change_before (kind, id, began, is_public, author, status, is_protected, slug, source, external_id, is_hidden)
    SELECT
        'event', old.id, transaction_began(), old.status = 'publish', old.author, CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        old.password IS NOT NULL, old.slug, old.source, old.external_id, old.hide_from_listings
    WHERE old.rev <= transaction_began() OR NOT EXISTS (
        SELECT 1 FROM journal WHERE rev > transaction_began() AND kind = 'event' AND id = old.id AND action = 'create'
    )
    ON CONFLICT (kind, id) DO UPDATE SET
        began = excluded.began, is_public = excluded.is_public, author = excluded.author, status = excluded.status,
        is_protected = excluded.is_protected, slug = excluded.slug, source = excluded.source,
        external_id = excluded.external_id, is_hidden = excluded.is_hidden
    WHERE change_before.began <> excluded.began;
END;
CREATE TRIGGER event_read_by_others AFTER UPDATE OF status, author, hide_from_listings ON event
WHEN old.author <> new.author OR old.status <> new.status OR old.hide_from_listings <> new.hide_from_listings BEGIN
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id, is_hidden)
    SELECT kind, id, reader, new.rev, status, is_protected, slug, source, external_id, is_hidden
    FROM (
        SELECT *, -1 AS reader FROM change_before WHERE is_hidden < new.hide_from_listings
        UNION ALL SELECT *, 0 FROM change_before
        WHERE is_public AND is_hidden = 0 AND (new.status <> 'publish' OR new.hide_from_listings = 1)
        UNION ALL SELECT *, author FROM change_before
        WHERE author > 0 AND (
            author <> new.author OR is_hidden < new.hide_from_listings
            -- Who may not change what is published no longer has it among the hidden ones.
            OR (is_hidden = 1 AND status NOT IN ('publish', 'future'))
        )
    ) WHERE kind = 'event' AND id = old.id AND began = transaction_began()
    ON CONFLICT (kind, id, reader, is_hidden) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_cause (kind, id, rev)
    SELECT 'event', new.id, new.rev
    WHERE (old.author <> new.author OR (old.status = 'publish') <> (new.status = 'publish'))
        AND EXISTS (SELECT 1 FROM event WHERE post_parent = new.id AND post_parent > 0)
    ON CONFLICT (kind, id) DO UPDATE SET rev = excluded.rev;
END;
CREATE TRIGGER event_deleted BEFORE DELETE ON event BEGIN
    INSERT INTO change_before (kind, id, began, is_public, author, status, is_protected, slug, source, external_id, is_hidden)
    SELECT
        'event', old.id, transaction_began(), old.status = 'publish', old.author, CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        old.password IS NOT NULL, old.slug, old.source, old.external_id, old.hide_from_listings
    WHERE old.rev <= transaction_began() OR NOT EXISTS (
        SELECT 1 FROM journal WHERE rev > transaction_began() AND kind = 'event' AND id = old.id AND action = 'create'
    )
    ON CONFLICT (kind, id) DO UPDATE SET
        began = excluded.began, is_public = excluded.is_public, author = excluded.author, status = excluded.status,
        is_protected = excluded.is_protected, slug = excluded.slug, source = excluded.source,
        external_id = excluded.external_id, is_hidden = excluded.is_hidden
    WHERE change_before.began <> excluded.began;
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id, is_hidden)
    SELECT
        kind, id, reader, (SELECT rev FROM journal WHERE kind = 'event' AND id = old.id ORDER BY rev DESC LIMIT 1),
        status, is_protected, slug, source, external_id, is_hidden
    FROM (
        SELECT *, -1 AS reader FROM change_before
        UNION ALL SELECT *, 0 FROM change_before WHERE is_public AND is_hidden = 0
        UNION ALL SELECT *, author FROM change_before WHERE author > 0
    ) WHERE kind = 'event' AND id = old.id AND began = transaction_began()
    ON CONFLICT (kind, id, reader, is_hidden) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    DELETE FROM change_before WHERE kind = 'event' AND id = old.id;
    INSERT INTO change_cause (kind, id, rev)
    SELECT 'event', old.id, (SELECT rev FROM journal WHERE kind = 'event' AND id = old.id ORDER BY rev DESC LIMIT 1)
    WHERE EXISTS (SELECT 1 FROM change_unlinked WHERE kind = 'event' AND target = old.id)
    ON CONFLICT (kind, id) DO UPDATE SET rev = excluded.rev;
END;

--each KIND: venue organizer
CREATE TRIGGER KIND_before BEFORE UPDATE OF status, author, slug, source, external_id ON KIND
WHEN old.status <> new.status OR old.author <> new.author OR old.slug <> new.slug
    OR old.source <> new.source OR old.external_id <> new.external_id BEGIN
    INSERT INTO change_before (kind, id, began, is_public, author, status, is_protected, slug, source, external_id, is_hidden)
    SELECT
        'KIND', old.id, transaction_began(), old.status = 'publish', old.author, CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        0, old.slug, old.source, old.external_id, 0
    WHERE old.rev <= transaction_began() OR NOT EXISTS (
        SELECT 1 FROM journal WHERE rev > transaction_began() AND kind = 'KIND' AND id = old.id AND action = 'create'
    )
    ON CONFLICT (kind, id) DO UPDATE SET
        began = excluded.began, is_public = excluded.is_public, author = excluded.author, status = excluded.status,
        is_protected = excluded.is_protected, slug = excluded.slug, source = excluded.source,
        external_id = excluded.external_id, is_hidden = excluded.is_hidden
    WHERE change_before.began <> excluded.began;
END;
CREATE TRIGGER KIND_read_by_others AFTER UPDATE OF status, author ON KIND
WHEN old.author <> new.author OR (old.status = 'publish') <> (new.status = 'publish') BEGIN
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id, is_hidden)
    SELECT kind, id, 0, new.rev, status, is_protected, slug, source, external_id, is_hidden FROM change_before
    WHERE kind = 'KIND' AND id = old.id AND began = transaction_began() AND is_public AND new.status <> 'publish'
    UNION ALL
    SELECT kind, id, author, new.rev, status, is_protected, slug, source, external_id, is_hidden FROM change_before
    WHERE kind = 'KIND' AND id = old.id AND began = transaction_began() AND author <> new.author AND author > 0
    ON CONFLICT (kind, id, reader, is_hidden) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
END;
CREATE TRIGGER KIND_deleted BEFORE DELETE ON KIND BEGIN
    INSERT INTO change_before (kind, id, began, is_public, author, status, is_protected, slug, source, external_id, is_hidden)
    SELECT
        'KIND', old.id, transaction_began(), old.status = 'publish', old.author, CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        0, old.slug, old.source, old.external_id, 0
    WHERE old.rev <= transaction_began() OR NOT EXISTS (
        SELECT 1 FROM journal WHERE rev > transaction_began() AND kind = 'KIND' AND id = old.id AND action = 'create'
    )
    ON CONFLICT (kind, id) DO UPDATE SET
        began = excluded.began, is_public = excluded.is_public, author = excluded.author, status = excluded.status,
        is_protected = excluded.is_protected, slug = excluded.slug, source = excluded.source,
        external_id = excluded.external_id, is_hidden = excluded.is_hidden
    WHERE change_before.began <> excluded.began;
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id, is_hidden)
    SELECT
        kind, id, reader, (SELECT rev FROM journal WHERE kind = 'KIND' AND id = old.id ORDER BY rev DESC LIMIT 1),
        status, is_protected, slug, source, external_id, is_hidden
    FROM (
        SELECT *, -1 AS reader FROM change_before
        UNION ALL SELECT *, 0 FROM change_before WHERE is_public
        UNION ALL SELECT *, author FROM change_before WHERE author > 0
    ) WHERE kind = 'KIND' AND id = old.id AND began = transaction_began()
    ON CONFLICT (kind, id, reader, is_hidden) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    DELETE FROM change_before WHERE kind = 'KIND' AND id = old.id;
END;
--end

--each KIND: category tag
CREATE TRIGGER KIND_before BEFORE UPDATE OF slug, source, external_id ON KIND
WHEN old.slug <> new.slug OR old.source <> new.source OR old.external_id <> new.external_id BEGIN
    INSERT INTO change_before (kind, id, began, is_public, author, status, is_protected, slug, source, external_id, is_hidden)
    SELECT
        'KIND', old.id, transaction_began(), 1, 0, '',
        0, old.slug, old.source, old.external_id, 0
    WHERE old.rev <= transaction_began() OR NOT EXISTS (
        SELECT 1 FROM journal WHERE rev > transaction_began() AND kind = 'KIND' AND id = old.id AND action = 'create'
    )
    ON CONFLICT (kind, id) DO UPDATE SET
        began = excluded.began, is_public = excluded.is_public, author = excluded.author, status = excluded.status,
        is_protected = excluded.is_protected, slug = excluded.slug, source = excluded.source,
        external_id = excluded.external_id, is_hidden = excluded.is_hidden
    WHERE change_before.began <> excluded.began;
END;
CREATE TRIGGER KIND_deleted BEFORE DELETE ON KIND BEGIN
    INSERT INTO change_before (kind, id, began, is_public, author, status, is_protected, slug, source, external_id, is_hidden)
    SELECT
        'KIND', old.id, transaction_began(), 1, 0, '',
        0, old.slug, old.source, old.external_id, 0
    WHERE old.rev <= transaction_began() OR NOT EXISTS (
        SELECT 1 FROM journal WHERE rev > transaction_began() AND kind = 'KIND' AND id = old.id AND action = 'create'
    )
    ON CONFLICT (kind, id) DO UPDATE SET
        began = excluded.began, is_public = excluded.is_public, author = excluded.author, status = excluded.status,
        is_protected = excluded.is_protected, slug = excluded.slug, source = excluded.source,
        external_id = excluded.external_id, is_hidden = excluded.is_hidden
    WHERE change_before.began <> excluded.began;
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id, is_hidden)
    SELECT
        kind, id, reader, (SELECT rev FROM journal WHERE kind = 'KIND' AND id = old.id ORDER BY rev DESC LIMIT 1),
        status, is_protected, slug, source, external_id, is_hidden
    FROM (
        SELECT *, -1 AS reader FROM change_before
        UNION ALL SELECT *, 0 FROM change_before WHERE is_public
    ) WHERE kind = 'KIND' AND id = old.id AND began = transaction_began()
    ON CONFLICT (kind, id, reader, is_hidden) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    DELETE FROM change_before WHERE kind = 'KIND' AND id = old.id;
END;
--end

--each KIND: venue organizer category tag
CREATE TRIGGER KIND_unlinked BEFORE DELETE ON KIND BEGIN
    INSERT INTO change_unlinked (kind, target, event, rev)
    SELECT
        'KIND', old.id, event, (SELECT rev FROM journal WHERE kind = 'KIND' AND id = old.id ORDER BY rev DESC LIMIT 1)
    FROM event_KIND WHERE target = old.id AND position IS NOT NULL
    ON CONFLICT (kind, target, event) DO NOTHING;
END;
--end
