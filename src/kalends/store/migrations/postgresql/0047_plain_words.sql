-- Texts are searched without regard to accents, apostrophes and punctuation (values/search_text.py): all are made anew
-- in the background (store/search/word_index.py), in a new store at once.
ALTER TABLE category ADD COLUMN words TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE tag ADD COLUMN words TEXT COLLATE "C" NOT NULL DEFAULT '';
CREATE TABLE word_index (
    kind TEXT COLLATE "C" PRIMARY KEY,
    format INTEGER NOT NULL, -- 0: its texts have to be made anew
    indexed_to BIGINT NOT NULL -- of the other store; here the greatest number there is
);
INSERT INTO word_index SELECT kind, 0, 9223372036854775807
FROM (VALUES ('event'), ('venue'), ('organizer'), ('category'), ('tag'), ('media')) AS kinds (kind);
UPDATE word_index SET format = 2
WHERE NOT EXISTS (SELECT 1 FROM event) AND NOT EXISTS (SELECT 1 FROM venue) AND NOT EXISTS (SELECT 1 FROM organizer)
AND NOT EXISTS (SELECT 1 FROM category) AND NOT EXISTS (SELECT 1 FROM tag) AND NOT EXISTS (SELECT 1 FROM media);
