-- One row that is never copied: a restored or moved calendar is another one, whose numbers of changes start anew.
-- `server` is the primary that last wrote; replicas that do not follow it name another.
CREATE TABLE epoch (id TEXT NOT NULL, server TEXT NOT NULL);
INSERT INTO epoch (id, server) VALUES (lower(hex(randomblob(8))), '');
