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
