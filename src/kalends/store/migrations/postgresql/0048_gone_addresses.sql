-- An old address of an event that was deleted has the target 0: it leads to the other dates of its series, or to what
-- else takes place at its venue.
ALTER TABLE redirect ADD COLUMN series BIGINT;
ALTER TABLE redirect ADD COLUMN venue BIGINT;
