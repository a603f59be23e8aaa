-- Events that found no room on their day were behind all days. Now they are in a range with days of its own
-- (store/slots.py).
UPDATE event SET slot = 4611686018427387904 + day * 10000000000 + 9999 + n FROM (
    SELECT
        id,
        CAST(replace(substr(start_local, 1, 10), '-', '') AS BIGINT) AS day,
        row_number() OVER (PARTITION BY substr(start_local, 1, 10) ORDER BY id) AS n
    FROM event WHERE slot >= 1000000000000
) AS numbered WHERE numbered.id = event.id;
UPDATE event_text SET slot = event.slot FROM event
WHERE event.id = event_text.rowid AND event_text.slot >= 1000000000000;
