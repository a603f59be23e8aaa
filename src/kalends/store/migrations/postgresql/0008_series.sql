-- Series of events. Every occurrence is an event; the series has its rule, and the template of further occurrences.
-- Series take their numbers from the sequence of posts, so that a fragment of one has a key of its own.
CREATE TABLE series (
    id BIGINT PRIMARY KEY,
    author BIGINT NOT NULL REFERENCES "user" (id),
    status TEXT COLLATE "C" NOT NULL,
    -- The last change of any of its occurrences.
    rev BIGINT NOT NULL,
    -- The local time up to which it has occurrences; 9999-12-31 23:59:59 if it has them all.
    filled_to TEXT COLLATE "C" NOT NULL,
    -- Lines of iCalendar: RRULE, RDATE, EXDATE.
    recurrence TEXT COLLATE "C" NOT NULL,
    -- JSON: the fields and links of an occurrence that has nothing of its own, at the start of the series.
    template TEXT COLLATE "C" NOT NULL
);
CREATE INDEX series_filled ON series (filled_to);
CREATE INDEX series_author ON series (author);

ALTER TABLE event ADD COLUMN series BIGINT REFERENCES series (id);
-- The local time at which the rule has the occurrence, wherever it was moved to.
ALTER TABLE event ADD COLUMN original_start TEXT COLLATE "C" NOT NULL DEFAULT '';
-- JSON: the fields that were set on this occurrence alone.
ALTER TABLE event ADD COLUMN own_fields TEXT COLLATE "C" NOT NULL DEFAULT '[]';
CREATE INDEX event_series ON event (series, original_start) WHERE series IS NOT NULL;
