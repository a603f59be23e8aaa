-- The different costs of events are found one by one; long ones, which no index of PostgreSQL takes, are few.
CREATE INDEX event_cost ON event (cost) WHERE (length(cost) <= 500);
CREATE INDEX event_long_cost ON event (id) WHERE NOT (length(cost) <= 500);

-- Links with the numbers of categories and tags elsewhere lead here, too.
UPDATE import_record SET old_id = CAST(external_id AS BIGINT)
WHERE kind IN ('category', 'tag') AND old_id = 0
    AND CASE WHEN external_id ~ '^[0-9]{1,15}$' THEN CAST(external_id AS BIGINT) <> id ELSE FALSE END;
