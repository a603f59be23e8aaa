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
