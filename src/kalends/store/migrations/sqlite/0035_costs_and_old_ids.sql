-- The different costs of events are found one by one; long ones, which no index of PostgreSQL takes, are few.
CREATE INDEX event_cost ON event (cost) WHERE (length(cost) <= 500);
CREATE INDEX event_long_cost ON event (id) WHERE NOT (length(cost) <= 500);

-- Links with the numbers of categories and tags elsewhere lead here, too.
UPDATE import_record SET old_id = CAST(external_id AS INTEGER)
WHERE kind IN ('category', 'tag') AND old_id = 0
    AND external_id NOT GLOB '*[^0-9]*' AND length(external_id) BETWEEN 1 AND 15 AND CAST(external_id AS INTEGER) <> id;
