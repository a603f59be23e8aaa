-- Whose record it was in each version: a new author does not read what was before.
ALTER TABLE version ADD COLUMN author INTEGER NOT NULL DEFAULT 0;
UPDATE version SET author = coalesce(json_extract(data, '$.author'), 0);
