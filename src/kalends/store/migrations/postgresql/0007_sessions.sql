-- People who sign in with a browser: their sessions, the links by which a password is set, and what they chose.
ALTER TABLE "user" ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "user" ADD COLUMN language TEXT COLLATE "C" NOT NULL DEFAULT '';

CREATE TABLE session (
    id BIGINT PRIMARY KEY,
    "user" BIGINT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    digest BYTEA NOT NULL UNIQUE,
    agent TEXT COLLATE "C" NOT NULL,
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
    expires_utc TEXT COLLATE "C" NOT NULL
);
CREATE INDEX one_time_link_user ON one_time_link ("user");
CREATE INDEX one_time_link_author ON one_time_link (author);

INSERT INTO sequence (name, last) VALUES ('session', 0), ('link', 0);
