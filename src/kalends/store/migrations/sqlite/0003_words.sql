-- The words of posts, and an index of the endings of all words (store/endings.py), which holds no text itself.
-- `word_endings` is a function of ours that every connection knows. Until now the text lay in an index of its trigrams.

-- The number by which that index knows an event: its day, and a number within the day (store/slots.py).
ALTER TABLE event ADD COLUMN slot INTEGER NOT NULL DEFAULT 0;
UPDATE event SET slot = CASE WHEN n < 10000 THEN day * 10000 + n ELSE 1000000000000 + event.id END FROM (
    SELECT
        id,
        CAST(replace(substr(start_local, 1, 10), '-', '') AS INTEGER) AS day,
        row_number() OVER (PARTITION BY substr(start_local, 1, 10) ORDER BY id) AS n
    FROM event
) AS numbered WHERE numbered.id = event.id;
CREATE UNIQUE INDEX event_slot ON event (slot);
-- What a search asks of the events that it found.
CREATE INDEX event_brief ON event (slot, id, start_local, end_local, reach, start_utc, end_utc);

-- `year` is the one that an event starts in; `slot` and `reach` are the event's own.

ALTER TABLE event_text RENAME TO trigrams;
CREATE TABLE event_text (
    rowid INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    slot INTEGER NOT NULL,
    year TEXT NOT NULL,
    reach INTEGER NOT NULL
) STRICT;
-- The longest texts are not in the index of words but looked through.
CREATE INDEX event_text_long ON event_text (slot)
WHERE length(CAST(title AS BLOB)) + length(CAST(body AS BLOB)) > 50000;
CREATE VIRTUAL TABLE event_words USING fts5 (
    endings, content = '', columnsize = 0, detail = none, prefix = '5 6',
    tokenize = 'ascii tokenchars ''!"#$%&''''''''()*+,-./:;<=>?@[\]^_`{|}~'''
);
CREATE TRIGGER event_text_added AFTER INSERT ON event_text BEGIN
    INSERT INTO event_words (rowid, endings) VALUES (new.slot, word_endings(new.year, new.reach, new.title, new.body));
END;
CREATE TRIGGER event_text_gone AFTER DELETE ON event_text BEGIN
    INSERT INTO event_words (event_words, rowid, endings)
    VALUES ('delete', old.slot, word_endings(old.year, old.reach, old.title, old.body));
END;
INSERT INTO event_text (rowid, slot, year, reach, title, body)
SELECT event.id, slot, substr(start_local, 1, 4), reach, trigrams.title, body
FROM trigrams JOIN event ON event.id = trigrams.rowid;
DROP TABLE trigrams;

ALTER TABLE venue_text RENAME TO trigrams;
CREATE TABLE venue_text (
    rowid INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    slot INTEGER NOT NULL,
    year TEXT NOT NULL,
    reach INTEGER NOT NULL
) STRICT;
CREATE INDEX venue_text_long ON venue_text (slot)
WHERE length(CAST(title AS BLOB)) + length(CAST(body AS BLOB)) > 50000;
CREATE VIRTUAL TABLE venue_words USING fts5 (
    endings, content = '', columnsize = 0, detail = none, prefix = '1 2',
    tokenize = 'ascii tokenchars ''!"#$%&''''''''()*+,-./:;<=>?@[\]^_`{|}~'''
);
CREATE TRIGGER venue_text_added AFTER INSERT ON venue_text BEGIN
    INSERT INTO venue_words (rowid, endings) VALUES (new.slot, word_endings(new.year, new.reach, new.title, new.body));
END;
CREATE TRIGGER venue_text_gone AFTER DELETE ON venue_text BEGIN
    INSERT INTO venue_words (venue_words, rowid, endings)
    VALUES ('delete', old.slot, word_endings(old.year, old.reach, old.title, old.body));
END;
INSERT INTO venue_text (rowid, slot, year, reach, title, body)
SELECT trigrams.rowid, trigrams.rowid, '', 2, trigrams.title, body FROM trigrams;
DROP TABLE trigrams;

ALTER TABLE organizer_text RENAME TO trigrams;
CREATE TABLE organizer_text (
    rowid INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    slot INTEGER NOT NULL,
    year TEXT NOT NULL,
    reach INTEGER NOT NULL
) STRICT;
CREATE INDEX organizer_text_long ON organizer_text (slot)
WHERE length(CAST(title AS BLOB)) + length(CAST(body AS BLOB)) > 50000;
CREATE VIRTUAL TABLE organizer_words USING fts5 (
    endings, content = '', columnsize = 0, detail = none, prefix = '1 2',
    tokenize = 'ascii tokenchars ''!"#$%&''''''''()*+,-./:;<=>?@[\]^_`{|}~'''
);
CREATE TRIGGER organizer_text_added AFTER INSERT ON organizer_text BEGIN
    INSERT INTO organizer_words (rowid, endings) VALUES (new.slot, word_endings(new.year, new.reach, new.title, new.body));
END;
CREATE TRIGGER organizer_text_gone AFTER DELETE ON organizer_text BEGIN
    INSERT INTO organizer_words (organizer_words, rowid, endings)
    VALUES ('delete', old.slot, word_endings(old.year, old.reach, old.title, old.body));
END;
INSERT INTO organizer_text (rowid, slot, year, reach, title, body)
SELECT trigrams.rowid, trigrams.rowid, '', 2, trigrams.title, body FROM trigrams;
DROP TABLE trigrams;
