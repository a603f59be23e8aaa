INSERT INTO sequence (name, last) VALUES ('webhook', 0), ('delivery', 0);

-- Receivers of changes. `place` is the change up to which everything was taken; `message` is the id of the message that
-- is under way, and `until` the change up to which it goes. `problem`: why it was switched off by itself.
CREATE TABLE webhook (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    kinds TEXT NOT NULL,
    sees TEXT NOT NULL,
    include TEXT NOT NULL,
    active INTEGER NOT NULL,
    description TEXT NOT NULL,
    secret TEXT NOT NULL,
    old_secret TEXT NOT NULL,
    old_until_utc TEXT NOT NULL,
    place INTEGER NOT NULL,
    message TEXT NOT NULL,
    until INTEGER NOT NULL,
    problem TEXT NOT NULL,
    created_utc TEXT NOT NULL
);

-- What was sent to them, and what came back. `status` is NULL where nothing did.
CREATE TABLE delivery (
    webhook INTEGER NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    message TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    at TEXT NOT NULL,
    status INTEGER,
    milliseconds INTEGER NOT NULL,
    sent TEXT NOT NULL,
    size INTEGER NOT NULL,
    response TEXT NOT NULL,
    PRIMARY KEY (webhook, n)
);
CREATE INDEX delivery_at ON delivery (at);
