-- Who has the editor of an event or of a date of a series open (`record`: the number of the event or of its series), and
-- until when that counts unless the browser says so again.
CREATE TABLE editing (
    record INTEGER NOT NULL,
    "user" INTEGER NOT NULL,
    until_utc TEXT NOT NULL,
    PRIMARY KEY (record, "user")
) STRICT;
