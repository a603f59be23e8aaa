-- Editors' lists leave out what is hidden. With that column in the index of events that are in nobody's lists, they are
-- counted without reading the events themselves.
DROP INDEX event_unlisted;
CREATE INDEX event_unlisted
    ON event (start_local, id, end_local, status, hide_from_listings, start_utc, end_utc, series)
    WHERE visibility_level = 0;
