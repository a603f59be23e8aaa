-- The words of posts, and an index of the endings of all words (store/endings.py), which holds no text itself. `year`
-- is the one that an event starts in. `word_endings` is a function of ours that every connection knows. Until now the
-- text lay in an index of its trigrams.

-- What a search asks of the events that it found.
CREATE INDEX event_brief ON event (id, start_local, end_local, reach, start_utc, end_utc);

ALTER TABLE event_text RENAME TO trigrams;
CREATE TABLE event_text (
    rowid INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    year TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE event_words USING fts5 (
    endings, content = '', columnsize = 0, detail = none, prefix = '5 6',
    tokenize = 'ascii tokenchars ''!"#$%&''''''''()*+,-./:;<=>?@[\]^_`{|}~'''
);
CREATE TRIGGER event_text_added AFTER INSERT ON event_text BEGIN
    INSERT INTO event_words (rowid, endings) VALUES (new.rowid, word_endings(new.year, new.title, new.body));
END;
CREATE TRIGGER event_text_gone AFTER DELETE ON event_text BEGIN
    INSERT INTO event_words (event_words, rowid, endings)
    VALUES ('delete', old.rowid, word_endings(old.year, old.title, old.body));
END;
INSERT INTO event_text (rowid, year, title, body)
SELECT trigrams.rowid, substr(start_local, 1, 4), trigrams.title, body FROM trigrams JOIN event ON event.id = trigrams.rowid;
DROP TABLE trigrams;

ALTER TABLE venue_text RENAME TO trigrams;
CREATE TABLE venue_text (
    rowid INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    year TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE venue_words USING fts5 (
    endings, content = '', columnsize = 0, detail = none, prefix = '1 2',
    tokenize = 'ascii tokenchars ''!"#$%&''''''''()*+,-./:;<=>?@[\]^_`{|}~'''
);
CREATE TRIGGER venue_text_added AFTER INSERT ON venue_text BEGIN
    INSERT INTO venue_words (rowid, endings) VALUES (new.rowid, word_endings(new.year, new.title, new.body));
END;
CREATE TRIGGER venue_text_gone AFTER DELETE ON venue_text BEGIN
    INSERT INTO venue_words (venue_words, rowid, endings)
    VALUES ('delete', old.rowid, word_endings(old.year, old.title, old.body));
END;
INSERT INTO venue_text (rowid, year, title, body)
SELECT trigrams.rowid, '', trigrams.title, body FROM trigrams;
DROP TABLE trigrams;

ALTER TABLE organizer_text RENAME TO trigrams;
CREATE TABLE organizer_text (
    rowid INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    year TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE organizer_words USING fts5 (
    endings, content = '', columnsize = 0, detail = none, prefix = '1 2',
    tokenize = 'ascii tokenchars ''!"#$%&''''''''()*+,-./:;<=>?@[\]^_`{|}~'''
);
CREATE TRIGGER organizer_text_added AFTER INSERT ON organizer_text BEGIN
    INSERT INTO organizer_words (rowid, endings) VALUES (new.rowid, word_endings(new.year, new.title, new.body));
END;
CREATE TRIGGER organizer_text_gone AFTER DELETE ON organizer_text BEGIN
    INSERT INTO organizer_words (organizer_words, rowid, endings)
    VALUES ('delete', old.rowid, word_endings(old.year, old.title, old.body));
END;
INSERT INTO organizer_text (rowid, year, title, body)
SELECT trigrams.rowid, '', trigrams.title, body FROM trigrams;
DROP TABLE trigrams;
