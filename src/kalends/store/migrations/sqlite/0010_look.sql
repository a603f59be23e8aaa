-- The colour of a category (tags have the column too, since both are one kind of record), and whether an event takes
-- place as planned.
ALTER TABLE category ADD COLUMN color TEXT NOT NULL DEFAULT '';
ALTER TABLE tag ADD COLUMN color TEXT NOT NULL DEFAULT '';
CREATE INDEX category_color ON category (color) WHERE color <> '';
ALTER TABLE event ADD COLUMN event_status TEXT NOT NULL DEFAULT 'scheduled';
