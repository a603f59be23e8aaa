-- Series of events. Every occurrence is an event; the series has its rule, and the template of further occurrences.
-- Series take their numbers from the sequence of posts, so that a fragment of one has a key of its own.
CREATE TABLE series (
    id INTEGER PRIMARY KEY,
    author INTEGER NOT NULL REFERENCES "user" (id),
    status TEXT NOT NULL,
    -- The last change of any of its occurrences.
    rev INTEGER NOT NULL,
    -- The local time up to which it has occurrences; 9999-12-31 23:59:59 if it has them all.
    filled_to TEXT NOT NULL,
    -- Lines of iCalendar: RRULE, RDATE, EXDATE.
    recurrence TEXT NOT NULL,
    -- JSON: the fields and links of an occurrence that has nothing of its own, at the start of the series.
    template TEXT NOT NULL
);
CREATE INDEX series_filled ON series (filled_to);
CREATE INDEX series_author ON series (author);

ALTER TABLE event ADD COLUMN series INTEGER REFERENCES series (id);
-- The local time at which the rule has the occurrence, wherever it was moved to.
ALTER TABLE event ADD COLUMN original_start TEXT NOT NULL DEFAULT '';
-- JSON: the fields that were set on this occurrence alone.
ALTER TABLE event ADD COLUMN own_fields TEXT NOT NULL DEFAULT '[]';
CREATE INDEX event_series ON event (series, original_start) WHERE series IS NOT NULL;

-- A text that changes in place: only the tokens that it loses and gains are written (store/search/suffix_index.py).
CREATE TRIGGER event_text_changed AFTER UPDATE ON event_text
WHEN new.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'event' AND format = word_format()) BEGIN
    INSERT INTO event_words (event_words, rowid, endings) VALUES (
        'delete',
        old.search_row,
        word_endings_lost(
            old.year, old.visibility_level, old.title, old.body, new.year, new.visibility_level, new.title, new.body
        )
    );
    INSERT INTO event_words (rowid, endings) VALUES (
        new.search_row,
        word_endings_gained(
            old.year, old.visibility_level, old.title, old.body, new.year, new.visibility_level, new.title, new.body
        )
    );
END;
CREATE TRIGGER event_text_changed_elsewhere AFTER UPDATE ON event_text
WHEN new.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'event' AND format <> word_format()) BEGIN
    UPDATE word_index SET format = 0 WHERE kind = 'event';
END;
