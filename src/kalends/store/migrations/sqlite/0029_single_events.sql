-- Lists in which each series is one row: the first date of a series in a window, whether it has one there, and the single
-- events between, each from an index alone.
DROP INDEX event_series_rows;
CREATE INDEX event_series_rows
    ON event (series, start_local, id, end_local, status, visibility_level, start_utc, end_utc) WHERE series IS NOT NULL;
DROP INDEX event_window;
CREATE INDEX event_window ON event (start_local, id, end_local, visibility_level, start_utc, end_utc, series);
DROP INDEX event_unlisted;
CREATE INDEX event_unlisted ON event (start_local, id, end_local, status, start_utc, end_utc, series)
    WHERE visibility_level = 0;

-- How many of the events that start and end on each day are dates of series.
DELETE FROM tally WHERE scope = 'series';
INSERT INTO tally (scope, id, edge, unit, day, n)
SELECT 'series', 0, 's', 0, substr(start_local, 1, 0), count(*) FROM event
WHERE visibility_level > 0 AND series IS NOT NULL GROUP BY substr(start_local, 1, 0);
INSERT INTO tally (scope, id, edge, unit, day, n)
SELECT 'series', 0, 's', 4, substr(start_local, 1, 4), count(*) FROM event
WHERE visibility_level > 0 AND series IS NOT NULL GROUP BY substr(start_local, 1, 4);
INSERT INTO tally (scope, id, edge, unit, day, n)
SELECT 'series', 0, 's', 7, substr(start_local, 1, 7), count(*) FROM event
WHERE visibility_level > 0 AND series IS NOT NULL GROUP BY substr(start_local, 1, 7);
INSERT INTO tally (scope, id, edge, unit, day, n)
SELECT 'series', 0, 's', 10, substr(start_local, 1, 10), count(*) FROM event
WHERE visibility_level > 0 AND series IS NOT NULL GROUP BY substr(start_local, 1, 10);
INSERT INTO tally (scope, id, edge, unit, day, n)
SELECT 'series', 0, 'e', 0, substr(end_local, 1, 0), count(*) FROM event
WHERE visibility_level > 0 AND series IS NOT NULL GROUP BY substr(end_local, 1, 0);
INSERT INTO tally (scope, id, edge, unit, day, n)
SELECT 'series', 0, 'e', 4, substr(end_local, 1, 4), count(*) FROM event
WHERE visibility_level > 0 AND series IS NOT NULL GROUP BY substr(end_local, 1, 4);
INSERT INTO tally (scope, id, edge, unit, day, n)
SELECT 'series', 0, 'e', 7, substr(end_local, 1, 7), count(*) FROM event
WHERE visibility_level > 0 AND series IS NOT NULL GROUP BY substr(end_local, 1, 7);
INSERT INTO tally (scope, id, edge, unit, day, n)
SELECT 'series', 0, 'e', 10, substr(end_local, 1, 10), count(*) FROM event
WHERE visibility_level > 0 AND series IS NOT NULL GROUP BY substr(end_local, 1, 10);
