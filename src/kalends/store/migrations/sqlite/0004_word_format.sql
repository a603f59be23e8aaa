-- The tokens of the word index are a format with a number (store/word_index.py). Until now there was only format 1.
-- `word_format` is a function of ours that every connection knows: the format of the tokens that it makes.
CREATE TABLE word_index (
    kind TEXT PRIMARY KEY,
    format INTEGER NOT NULL, -- 0: it has to be rebuilt
    indexed_to INTEGER NOT NULL -- the rowid of the last text in it, or the greatest number there is
) STRICT;
INSERT INTO word_index VALUES
    ('event', CASE WHEN EXISTS (SELECT 1 FROM event WHERE slot >= 1000000000000) THEN 0 ELSE 1 END, 9223372036854775807),
    ('venue', 1, 9223372036854775807),
    ('organizer', 1, 9223372036854775807);

-- Events that found no room on their day were behind all days. Now they are in a range with days of its own
-- (store/slots.py).
UPDATE event SET slot = 4611686018427387904 + day * 10000000000 + 9999 + n FROM (
    SELECT
        id,
        CAST(replace(substr(start_local, 1, 10), '-', '') AS INTEGER) AS day,
        row_number() OVER (PARTITION BY substr(start_local, 1, 10) ORDER BY id) AS n
    FROM event WHERE slot >= 1000000000000
) AS numbered WHERE numbered.id = event.id;
UPDATE event_text SET slot = event.slot FROM event
WHERE event.id = event_text.rowid AND event_text.slot >= 1000000000000;

DROP TRIGGER event_text_added;
DROP TRIGGER event_text_gone;
CREATE TRIGGER event_text_added AFTER INSERT ON event_text
WHEN new.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'event' AND format = word_format()) BEGIN
    INSERT INTO event_words (rowid, endings) VALUES (new.slot, word_endings(new.year, new.reach, new.title, new.body));
END;
CREATE TRIGGER event_text_gone AFTER DELETE ON event_text
WHEN old.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'event' AND format = word_format()) BEGIN
    INSERT INTO event_words (event_words, rowid, endings)
    VALUES ('delete', old.slot, word_endings(old.year, old.reach, old.title, old.body));
END;
CREATE TRIGGER event_text_added_elsewhere AFTER INSERT ON event_text
WHEN new.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'event' AND format <> word_format()) BEGIN
    UPDATE word_index SET format = 0 WHERE kind = 'event';
END;
CREATE TRIGGER event_text_gone_elsewhere AFTER DELETE ON event_text
WHEN old.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'event' AND format <> word_format()) BEGIN
    UPDATE word_index SET format = 0 WHERE kind = 'event';
END;

DROP TRIGGER venue_text_added;
DROP TRIGGER venue_text_gone;
CREATE TRIGGER venue_text_added AFTER INSERT ON venue_text
WHEN new.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'venue' AND format = word_format()) BEGIN
    INSERT INTO venue_words (rowid, endings) VALUES (new.slot, word_endings(new.year, new.reach, new.title, new.body));
END;
CREATE TRIGGER venue_text_gone AFTER DELETE ON venue_text
WHEN old.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'venue' AND format = word_format()) BEGIN
    INSERT INTO venue_words (venue_words, rowid, endings)
    VALUES ('delete', old.slot, word_endings(old.year, old.reach, old.title, old.body));
END;
CREATE TRIGGER venue_text_added_elsewhere AFTER INSERT ON venue_text
WHEN new.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'venue' AND format <> word_format()) BEGIN
    UPDATE word_index SET format = 0 WHERE kind = 'venue';
END;
CREATE TRIGGER venue_text_gone_elsewhere AFTER DELETE ON venue_text
WHEN old.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'venue' AND format <> word_format()) BEGIN
    UPDATE word_index SET format = 0 WHERE kind = 'venue';
END;

DROP TRIGGER organizer_text_added;
DROP TRIGGER organizer_text_gone;
CREATE TRIGGER organizer_text_added AFTER INSERT ON organizer_text
WHEN new.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'organizer' AND format = word_format()) BEGIN
    INSERT INTO organizer_words (rowid, endings) VALUES (new.slot, word_endings(new.year, new.reach, new.title, new.body));
END;
CREATE TRIGGER organizer_text_gone AFTER DELETE ON organizer_text
WHEN old.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'organizer' AND format = word_format()) BEGIN
    INSERT INTO organizer_words (organizer_words, rowid, endings)
    VALUES ('delete', old.slot, word_endings(old.year, old.reach, old.title, old.body));
END;
CREATE TRIGGER organizer_text_added_elsewhere AFTER INSERT ON organizer_text
WHEN new.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'organizer' AND format <> word_format()) BEGIN
    UPDATE word_index SET format = 0 WHERE kind = 'organizer';
END;
CREATE TRIGGER organizer_text_gone_elsewhere AFTER DELETE ON organizer_text
WHEN old.rowid <= (SELECT indexed_to FROM word_index WHERE kind = 'organizer' AND format <> word_format()) BEGIN
    UPDATE word_index SET format = 0 WHERE kind = 'organizer';
END;
