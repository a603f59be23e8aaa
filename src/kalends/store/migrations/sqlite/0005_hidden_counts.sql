-- Events that are hidden from listings count where a record tells how many events it has.

INSERT INTO tally (scope, id, edge, unit, day, n)
SELECT 'hidden_venue', l.target, 's', 0, '', count(*) FROM event_venue l JOIN event ON event.id = l.event
WHERE event.status = 'publish' AND event.hide_from_listings = 1 AND event.password IS NULL GROUP BY l.target;

INSERT INTO tally (scope, id, edge, unit, day, n)
SELECT 'hidden_organizer', l.target, 's', 0, '', count(*) FROM event_organizer l JOIN event ON event.id = l.event
WHERE event.status = 'publish' AND event.hide_from_listings = 1 AND event.password IS NULL GROUP BY l.target;

INSERT INTO tally (scope, id, edge, unit, day, n)
SELECT 'hidden_category', l.target, 's', 0, '', count(*) FROM event_category l JOIN event ON event.id = l.event
WHERE event.status = 'publish' AND event.hide_from_listings = 1 AND event.password IS NULL GROUP BY l.target;

INSERT INTO tally (scope, id, edge, unit, day, n)
SELECT 'hidden_tag', l.target, 's', 0, '', count(*) FROM event_tag l JOIN event ON event.id = l.event
WHERE event.status = 'publish' AND event.hide_from_listings = 1 AND event.password IS NULL GROUP BY l.target;

INSERT INTO tally (scope, id, edge, unit, day, n)
SELECT 'direct', l.target, 's', 0, '', count(*) FROM event_category l JOIN event ON event.id = l.event
WHERE event.status = 'publish' AND event.hide_from_listings = 1 AND event.password IS NULL AND l.position IS NOT NULL
GROUP BY l.target
ON CONFLICT (scope, id, edge, unit, day) DO UPDATE SET n = tally.n + excluded.n;

INSERT INTO tally (scope, id, edge, unit, day, n)
SELECT 'direct', l.target, 's', 0, '', count(*) FROM event_tag l JOIN event ON event.id = l.event
WHERE event.status = 'publish' AND event.hide_from_listings = 1 AND event.password IS NULL AND l.position IS NOT NULL
GROUP BY l.target
ON CONFLICT (scope, id, edge, unit, day) DO UPDATE SET n = tally.n + excluded.n;
