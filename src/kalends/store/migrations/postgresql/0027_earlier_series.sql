-- Venues and organizers that the version before has merged: their addresses lead to the one that stays. Those that are
-- still linked to an event may only have the address that another one had before.
INSERT INTO merged (kind, old, target)
SELECT 'venue', v.id, r.target
FROM venue v JOIN redirect r ON r.kind = 'venue' AND r.slug_key = v.slug_key JOIN venue t ON t.id = r.target
WHERE v.status = 'trash' AND r.target <> v.id
    AND NOT EXISTS (SELECT 1 FROM event_venue l WHERE l.target = v.id)
    AND NOT EXISTS (SELECT 1 FROM series_reference s WHERE s.kind = 'venue' AND s.target = v.id)
    AND NOT EXISTS (SELECT 1 FROM merged m WHERE m.kind = 'venue' AND m.old IN (v.id, t.id));
INSERT INTO merged (kind, old, target)
SELECT 'organizer', o.id, r.target
FROM organizer o JOIN redirect r ON r.kind = 'organizer' AND r.slug_key = o.slug_key JOIN organizer t ON t.id = r.target
WHERE o.status = 'trash' AND r.target <> o.id
    AND NOT EXISTS (SELECT 1 FROM event_organizer l WHERE l.target = o.id)
    AND NOT EXISTS (SELECT 1 FROM series_reference s WHERE s.kind = 'organizer' AND s.target = o.id)
    AND NOT EXISTS (SELECT 1 FROM merged m WHERE m.kind = 'organizer' AND m.old IN (o.id, t.id));

-- Of a series that was not public there was nothing to show. Now a public date of it shows its rule.
DELETE FROM fragment WHERE kind = 'series' AND render_version = '';
