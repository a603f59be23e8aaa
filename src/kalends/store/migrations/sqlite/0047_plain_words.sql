-- Texts are searched without regard to accents, apostrophes and punctuation (values/search_text.py): all are made anew
-- in the background (store/search/word_index.py), in a new store at once.
ALTER TABLE category ADD COLUMN words TEXT NOT NULL DEFAULT '';
ALTER TABLE tag ADD COLUMN words TEXT NOT NULL DEFAULT '';
INSERT INTO word_index VALUES
    ('category', 0, 9223372036854775807),
    ('tag', 0, 9223372036854775807),
    ('media', 0, 9223372036854775807);
UPDATE word_index SET format = 2
WHERE NOT EXISTS (SELECT 1 FROM event) AND NOT EXISTS (SELECT 1 FROM venue) AND NOT EXISTS (SELECT 1 FROM organizer)
AND NOT EXISTS (SELECT 1 FROM category) AND NOT EXISTS (SELECT 1 FROM tag) AND NOT EXISTS (SELECT 1 FROM media);
