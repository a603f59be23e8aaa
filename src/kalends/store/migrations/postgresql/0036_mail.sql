-- Mail: addresses of people, messages, addresses that refuse them, browsers that are known, and who follows what.
ALTER TABLE "user" ADD COLUMN email TEXT COLLATE "C" NOT NULL DEFAULT '';
-- The kinds of messages that somebody has switched off, with spaces between.
ALTER TABLE "user" ADD COLUMN mail_off TEXT COLLATE "C" NOT NULL DEFAULT '';

ALTER TABLE one_time_link ADD COLUMN email TEXT COLLATE "C" NOT NULL DEFAULT '';

ALTER TABLE submission ADD COLUMN language TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE submission ADD COLUMN confirmed_utc TEXT COLLATE "C" NOT NULL DEFAULT '';

-- `state`: waiting, sent or failed. What a message says is known until then (`facts`). `reason` and `answer`: why the
-- last try failed.
CREATE TABLE mail (
    id BIGINT PRIMARY KEY,
    message_id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    address TEXT COLLATE "C" NOT NULL,
    address_key TEXT COLLATE "C" NOT NULL,
    language TEXT COLLATE "C" NOT NULL,
    facts TEXT COLLATE "C" NOT NULL,
    "user" BIGINT,
    follow BIGINT,
    event BIGINT,
    state TEXT COLLATE "C" NOT NULL,
    created_utc TEXT COLLATE "C" NOT NULL,
    ended_utc TEXT COLLATE "C" NOT NULL,
    tries INTEGER NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    answer TEXT COLLATE "C" NOT NULL
);
CREATE INDEX mail_address ON mail (address_key);
CREATE INDEX mail_follow ON mail (follow);
CREATE INDEX mail_state ON mail (state, created_utc);

CREATE TABLE refusing_address (
    address_key TEXT COLLATE "C" PRIMARY KEY,
    address TEXT COLLATE "C" NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    answer TEXT COLLATE "C" NOT NULL
);

CREATE TABLE known_browser (
    "user" BIGINT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    digest BYTEA NOT NULL,
    used_utc TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY ("user", digest)
);

-- `rhythm`: daily, weekly, or event: one event's reminders and news. `query`: the filters of a list, as JSON. `seen`: what
-- a follower of an event was told last. `next_utc`: when there is something to do.
CREATE TABLE follow (
    id BIGINT PRIMARY KEY,
    address TEXT COLLATE "C" NOT NULL,
    address_key TEXT COLLATE "C" NOT NULL,
    language TEXT COLLATE "C" NOT NULL,
    rhythm TEXT COLLATE "C" NOT NULL,
    query TEXT COLLATE "C" NOT NULL,
    what TEXT COLLATE "C" NOT NULL,
    path TEXT COLLATE "C" NOT NULL,
    event BIGINT,
    seen TEXT COLLATE "C" NOT NULL,
    created_utc TEXT COLLATE "C" NOT NULL,
    confirmed_utc TEXT COLLATE "C" NOT NULL,
    last_utc TEXT COLLATE "C" NOT NULL,
    next_utc TEXT COLLATE "C" NOT NULL
);
CREATE INDEX follow_address ON follow (address_key);
CREATE INDEX follow_event ON follow (event);
CREATE INDEX follow_next ON follow (next_utc);

INSERT INTO sequence (name, last) VALUES ('mail', 0), ('follow', 0);
