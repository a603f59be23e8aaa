-- The list of a person's own events, and its total, from the index alone.
DROP INDEX event_author;
CREATE INDEX event_author ON event (author, start_local, id, end_local, status, hide_from_listings, start_utc, end_utc);
