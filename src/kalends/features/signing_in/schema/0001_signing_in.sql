INSERT INTO sequence (name, last) VALUES ('security_event', 0);

-- Who signed in, was refused, or has other rights. Names stay when the people have gone. `times`: how often in a row.
CREATE TABLE security_event (
    id INTEGER PRIMARY KEY,
    what TEXT NOT NULL,
    at TEXT NOT NULL,
    "user" INTEGER NOT NULL,
    name TEXT NOT NULL,
    actor TEXT NOT NULL,
    address TEXT NOT NULL,
    agent TEXT NOT NULL,
    about TEXT NOT NULL,
    times INTEGER NOT NULL
);
CREATE INDEX security_event_at ON security_event (at);
CREATE INDEX security_event_what ON security_event (what, id);

-- The authenticator app of a person: its secret, sealed with a key that the store does not have, and the last step of
-- time whose code was used.
CREATE TABLE totp (
    "user" INTEGER PRIMARY KEY REFERENCES "user" (id) ON DELETE CASCADE,
    secret TEXT NOT NULL,
    last_step INTEGER NOT NULL,
    created_utc TEXT NOT NULL
);

-- Codes for one use, for those who have lost a second factor; only digests.
CREATE TABLE recovery_code (
    "user" INTEGER NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    digest BLOB NOT NULL,
    PRIMARY KEY ("user", digest)
);

-- A passkey of a person: the public half of its key, the host that it is for, and how often it says it was used.
CREATE TABLE passkey (
    id TEXT PRIMARY KEY,
    "user" INTEGER NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    site TEXT NOT NULL,
    public_key TEXT NOT NULL,
    uses INTEGER NOT NULL,
    created_utc TEXT NOT NULL,
    used_utc TEXT
);

-- When the person of a session last showed who it is, after signing in.
CREATE TABLE confirmation (session INTEGER PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE, at TEXT NOT NULL);

-- The provider of OpenID Connect: what it says of itself, and its keys. They are kept so that a sign-in need not ask.
CREATE TABLE oidc_provider (
    issuer TEXT PRIMARY KEY,
    metadata TEXT NOT NULL,
    keys TEXT NOT NULL,
    keys_utc TEXT NOT NULL
);

-- Whose account somebody of a provider has.
CREATE TABLE oidc_identity (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    "user" INTEGER NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    created_utc TEXT NOT NULL,
    used_utc TEXT NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX oidc_identity_of_user ON oidc_identity ("user");

-- Sessions that began at a provider, whose `sid` it names when it ends them.
CREATE TABLE oidc_session (
    session INTEGER PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    sid TEXT NOT NULL
);

-- What is good for one use and was used: states of sign-ins, ids of logout tokens, challenges of passkeys.
CREATE TABLE used_once (digest BLOB PRIMARY KEY, until_utc TEXT NOT NULL);
