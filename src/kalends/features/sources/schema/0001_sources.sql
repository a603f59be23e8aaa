INSERT INTO sequence (name, last) VALUES ('source', 0), ('source_run', 0), ('duplicate', 0);

-- Calendars elsewhere that are read again and again, as administrators have set them up. `origin` is what imported
-- records remember as their source. `login` is encrypted. Lists are JSON. `every` is in seconds, `back` and `ahead` are
-- months.
CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    address TEXT NOT NULL,
    name TEXT NOT NULL,
    origin TEXT NOT NULL,
    active INTEGER NOT NULL,
    login TEXT NOT NULL,
    every INTEGER NOT NULL,
    publish TEXT NOT NULL,
    categories TEXT NOT NULL,
    tags TEXT NOT NULL,
    venue INTEGER NOT NULL,
    organizer INTEGER NOT NULL,
    author INTEGER NOT NULL,
    back INTEGER NOT NULL,
    ahead INTEGER NOT NULL,
    take TEXT NOT NULL,
    leave_out TEXT NOT NULL,
    when_gone TEXT NOT NULL,
    images INTEGER NOT NULL,
    created_utc TEXT NOT NULL
);

-- How each of them is: what it answered with, and what came of the last reads. `probe` is the address
-- that tells whether a site has changed, if there is one. `stale_utc` is when what has not changed
-- there is read again nevertheless, since the window has moved; `shrunk_utc` when it began to have far fewer events.
CREATE TABLE source_state (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    etag TEXT NOT NULL,
    modified TEXT NOT NULL,
    digest TEXT NOT NULL,
    probe TEXT NOT NULL,
    stale_utc TEXT NOT NULL,
    shrunk_utc TEXT NOT NULL,
    next_run TEXT NOT NULL,
    last_success TEXT NOT NULL,
    failing_since TEXT NOT NULL,
    failures INTEGER NOT NULL,
    told_utc TEXT NOT NULL,
    error TEXT NOT NULL,
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    unchanged INTEGER NOT NULL,
    gone INTEGER NOT NULL,
    held INTEGER NOT NULL
);

-- Reads that changed something, or were the first to fail in this way. `report` is JSON; `entry` is the run of the
-- import, by which it can be undone.
CREATE TABLE source_run (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    began_utc TEXT NOT NULL,
    ended_utc TEXT NOT NULL,
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    unchanged INTEGER NOT NULL,
    gone INTEGER NOT NULL,
    held INTEGER NOT NULL,
    error TEXT NOT NULL,
    report TEXT NOT NULL
);
CREATE INDEX source_run_source ON source_run (source, id);

-- What a source told last of each event: its title and start in a form that can be compared, and its fields as JSON.
CREATE TABLE source_event (
    origin TEXT NOT NULL,
    external_id TEXT NOT NULL,
    likeness TEXT NOT NULL,
    fields TEXT NOT NULL,
    PRIMARY KEY (origin, external_id)
);

-- Pairs of events that may be one, and what became of them. Without `other`, a record of a source became `event` by
-- itself. `held` waits for the answer; `before`: what imports remembered, as JSON.
CREATE TABLE duplicate (
    id INTEGER PRIMARY KEY, event INTEGER NOT NULL, other INTEGER NOT NULL, origin TEXT NOT NULL,
    external_id TEXT NOT NULL, state TEXT NOT NULL, score INTEGER NOT NULL, held INTEGER NOT NULL,
    "user" INTEGER NOT NULL, at_utc TEXT NOT NULL, before TEXT NOT NULL, UNIQUE (event, other, origin, external_id)
);
