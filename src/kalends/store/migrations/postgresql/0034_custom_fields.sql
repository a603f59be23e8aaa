-- What events have of the fields that the site has defined: JSON by the keys of the fields.
ALTER TABLE event ADD COLUMN custom_fields TEXT COLLATE "C" NOT NULL DEFAULT '{}';

-- The same once more to find events by: a row for each value, comparable as text and as a number, with the copies
-- that the links of events have.
CREATE TABLE event_custom (
    event BIGINT NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    field BIGINT NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    number DOUBLE PRECISION,
    visibility_level INTEGER NOT NULL,
    start_local TEXT COLLATE "C" NOT NULL,
    end_local TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (event, field, value)
);
CREATE INDEX event_custom_value ON event_custom (field, value, start_local, visibility_level);
CREATE INDEX event_custom_number ON event_custom (field, number, start_local, visibility_level)
    WHERE number IS NOT NULL;
