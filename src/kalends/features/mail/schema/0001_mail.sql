INSERT INTO sequence (name, last) VALUES ('mail', 0), ('follow', 0);

-- `state`: waiting, sent or failed. What a message says is known until then (`facts`). `reason` and `answer`: why the last
-- try failed.
CREATE TABLE mail (
    id INTEGER PRIMARY KEY,
    message_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    address TEXT NOT NULL,
    address_key TEXT NOT NULL,
    language TEXT NOT NULL,
    facts TEXT NOT NULL,
    "user" INTEGER,
    follow INTEGER,
    event INTEGER,
    state TEXT NOT NULL,
    created_utc TEXT NOT NULL,
    ended_utc TEXT NOT NULL,
    tries INTEGER NOT NULL,
    reason TEXT NOT NULL,
    answer TEXT NOT NULL
) STRICT;
CREATE INDEX mail_address ON mail (address_key);
CREATE INDEX mail_follow ON mail (follow);
CREATE INDEX mail_state ON mail (state, created_utc);

CREATE TABLE refusing_address (
    address_key TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    at TEXT NOT NULL,
    answer TEXT NOT NULL
) STRICT;

-- `rhythm`: daily, weekly, or event: one event's reminders and news. `query`: the filters of a list, as JSON. `seen`: what
-- a follower of an event was told last. `last_rev`: the last change that the last mail about a list could tell.
-- `next_utc`: when there is something to do.
CREATE TABLE follow (
    id INTEGER PRIMARY KEY,
    address TEXT NOT NULL,
    address_key TEXT NOT NULL,
    language TEXT NOT NULL,
    rhythm TEXT NOT NULL,
    query TEXT NOT NULL,
    what TEXT NOT NULL,
    path TEXT NOT NULL,
    event INTEGER,
    seen TEXT NOT NULL,
    created_utc TEXT NOT NULL,
    confirmed_utc TEXT NOT NULL,
    last_rev INTEGER NOT NULL,
    next_utc TEXT NOT NULL
) STRICT;
CREATE INDEX follow_address ON follow (address_key);
CREATE INDEX follow_event ON follow (event);
CREATE INDEX follow_next ON follow (next_utc);

-- Events that became public, or are it no longer, with the change that did it, as long as somebody who follows a list has
-- not had a mail since.
CREATE TABLE announcement (
    event INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    is_public INTEGER NOT NULL,
    PRIMARY KEY (event, rev)
) STRICT;
CREATE INDEX announcement_rev ON announcement (rev);
