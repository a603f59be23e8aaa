-- Venues and organizers that came with an event are public with the first public event that shows them.
ALTER TABLE venue ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0;
ALTER TABLE organizer ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0;

-- Those of contributors, which were published with the event in review.
UPDATE venue SET waiting = 1
WHERE status IN ('draft', 'pending')
    AND EXISTS (
        SELECT 1 FROM event_venue l JOIN event e ON e.id = l.event
        WHERE l.target = venue.id AND e.author = venue.author AND e.status IN ('draft', 'pending', 'future')
    )
    AND EXISTS (SELECT 1 FROM "user" u WHERE u.id = venue.author AND u.role IN ('contributor', 'subscriber'))
    AND NOT EXISTS (
        SELECT 1 FROM event_venue l JOIN event e ON e.id = l.event
        WHERE l.target = venue.id AND e.status = 'publish' AND e.password IS NULL
    );

-- Those of contributors, which were published with the event in review.
UPDATE organizer SET waiting = 1
WHERE status IN ('draft', 'pending')
    AND EXISTS (
        SELECT 1 FROM event_organizer l JOIN event e ON e.id = l.event
        WHERE l.target = organizer.id AND e.author = organizer.author AND e.status IN ('draft', 'pending', 'future')
    )
    AND EXISTS (SELECT 1 FROM "user" u WHERE u.id = organizer.author AND u.role IN ('contributor', 'subscriber'))
    AND NOT EXISTS (
        SELECT 1 FROM event_organizer l JOIN event e ON e.id = l.event
        WHERE l.target = organizer.id AND e.status = 'publish' AND e.password IS NULL
    );
