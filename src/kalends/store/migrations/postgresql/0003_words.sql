-- The year that an event starts in stands beside its words, as in the other store, where the index of words needs it.
ALTER TABLE event_text ADD COLUMN year TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE venue_text ADD COLUMN year TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE organizer_text ADD COLUMN year TEXT COLLATE "C" NOT NULL DEFAULT '';
UPDATE event_text SET year = substr(start_local, 1, 4) FROM event WHERE event.id = event_text.rowid;
