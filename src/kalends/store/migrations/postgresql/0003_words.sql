-- The number by which the index of words of the other store knows an event: its day, and a number within the day
-- (store/slots.py). Here it leads to the texts of a window of time.
ALTER TABLE event ADD COLUMN slot BIGINT NOT NULL DEFAULT 0;
UPDATE event SET slot = CASE WHEN n < 10000 THEN day * 10000 + n ELSE 1000000000000 + event.id END FROM (
    SELECT
        id,
        CAST(replace(substr(start_local, 1, 10), '-', '') AS BIGINT) AS day,
        row_number() OVER (PARTITION BY substr(start_local, 1, 10) ORDER BY id) AS n
    FROM event
) AS numbered WHERE numbered.id = event.id;
CREATE UNIQUE INDEX event_slot ON event (slot);

-- `year` is the one that an event starts in; `slot` and `reach` are the event's own.
ALTER TABLE event_text
    ADD COLUMN slot BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN year TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN reach BIGINT NOT NULL DEFAULT 2;
ALTER TABLE venue_text
    ADD COLUMN slot BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN year TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN reach BIGINT NOT NULL DEFAULT 2;
ALTER TABLE organizer_text
    ADD COLUMN slot BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN year TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN reach BIGINT NOT NULL DEFAULT 2;
UPDATE event_text SET slot = event.slot, year = substr(start_local, 1, 4), reach = event.reach
FROM event WHERE event.id = event_text.rowid;
CREATE INDEX event_text_slot ON event_text (slot);
UPDATE venue_text SET slot = rowid;
UPDATE organizer_text SET slot = rowid;
