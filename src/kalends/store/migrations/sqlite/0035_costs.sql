-- The different costs of events are found one by one; long ones, which no index of PostgreSQL takes, are few.
CREATE INDEX event_cost ON event (cost) WHERE (length(cost) <= 500);
CREATE INDEX event_long_cost ON event (id) WHERE NOT (length(cost) <= 500);
