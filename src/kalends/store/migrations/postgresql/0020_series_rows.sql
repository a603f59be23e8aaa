-- Lists in which each series is one row: how many dates of which status it has in a window, without reading them.
CREATE INDEX event_series_rows ON event (series, status, visibility_level, start_local, end_local, start_utc, end_utc)
    WHERE series IS NOT NULL;
