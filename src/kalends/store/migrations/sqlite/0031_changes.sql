-- What GET /changes tells of records that somebody could read and no longer can. `reader`: a user's id (it was theirs),
-- 0 (everybody: it was published) or -1 (those who read everything: it existed). `status` (before the trash) and
-- `is_protected` decide whether that reader saw all fields. A row goes when its reader can read the record again.
-- Triggers write it, so that no way of changing a record can forget to.
CREATE TABLE change_gone (
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    reader INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    status TEXT NOT NULL,
    is_protected INTEGER NOT NULL,
    slug TEXT NOT NULL,
    source TEXT NOT NULL,
    external_id TEXT NOT NULL,
    PRIMARY KEY (kind, id, reader)
) STRICT, WITHOUT ROWID;
CREATE INDEX change_gone_order ON change_gone (reader, rev);

-- What else changes events that show it, or what somebody reads: the rule of a series, whether an event can be read that
-- is the parent of others, the role of a user; each with its last such change.
CREATE TABLE change_cause (
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX change_cause_order ON change_cause (rev);

-- The events that showed a record when it was deleted: their links went with it.
CREATE TABLE change_unlinked (
    kind TEXT NOT NULL,
    target INTEGER NOT NULL,
    event INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    PRIMARY KEY (kind, target, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX change_unlinked_order ON change_unlinked (rev);

-- What was withdrawn up to this change is not known, or no longer.
INSERT INTO change_cause (kind, id, rev) SELECT 'known after', 0, coalesce(max(rev), 0) FROM journal;

CREATE INDEX event_rev ON event (rev);
CREATE INDEX venue_rev ON venue (rev);
CREATE INDEX organizer_rev ON organizer (rev);
CREATE INDEX category_rev ON category (rev);
CREATE INDEX tag_rev ON tag (rev);

CREATE TRIGGER event_read_by_others AFTER UPDATE OF status, author ON event
WHEN old.author <> new.author OR (old.status = 'publish') <> (new.status = 'publish') BEGIN
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'event', old.id, 0, new.rev,
        CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        old.password IS NOT NULL, old.slug, old.source, old.external_id
    WHERE old.status = 'publish' AND new.status <> 'publish'
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'event', old.id, old.author, new.rev,
        CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        old.password IS NOT NULL, old.slug, old.source, old.external_id
    WHERE old.author <> new.author
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    DELETE FROM change_gone WHERE kind = 'event' AND id = new.id AND reader = 0 AND new.status = 'publish';
    DELETE FROM change_gone WHERE kind = 'event' AND id = new.id AND reader = new.author;
    INSERT INTO change_cause (kind, id, rev)
    SELECT 'event', new.id, new.rev
    WHERE EXISTS (SELECT 1 FROM event WHERE post_parent = new.id AND post_parent > 0)
    ON CONFLICT (kind, id) DO UPDATE SET rev = excluded.rev;
END;

CREATE TRIGGER venue_read_by_others AFTER UPDATE OF status, author ON venue
WHEN old.author <> new.author OR (old.status = 'publish') <> (new.status = 'publish') BEGIN
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'venue', old.id, 0, new.rev,
        CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        0, old.slug, old.source, old.external_id
    WHERE old.status = 'publish' AND new.status <> 'publish'
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'venue', old.id, old.author, new.rev,
        CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        0, old.slug, old.source, old.external_id
    WHERE old.author <> new.author
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    DELETE FROM change_gone WHERE kind = 'venue' AND id = new.id AND reader = 0 AND new.status = 'publish';
    DELETE FROM change_gone WHERE kind = 'venue' AND id = new.id AND reader = new.author;
END;

CREATE TRIGGER organizer_read_by_others AFTER UPDATE OF status, author ON organizer
WHEN old.author <> new.author OR (old.status = 'publish') <> (new.status = 'publish') BEGIN
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'organizer', old.id, 0, new.rev,
        CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        0, old.slug, old.source, old.external_id
    WHERE old.status = 'publish' AND new.status <> 'publish'
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'organizer', old.id, old.author, new.rev,
        CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        0, old.slug, old.source, old.external_id
    WHERE old.author <> new.author
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    DELETE FROM change_gone WHERE kind = 'organizer' AND id = new.id AND reader = 0 AND new.status = 'publish';
    DELETE FROM change_gone WHERE kind = 'organizer' AND id = new.id AND reader = new.author;
END;

CREATE TRIGGER event_deleted BEFORE DELETE ON event BEGIN
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'event', old.id, -1, (SELECT rev FROM journal WHERE kind = 'event' AND id = old.id ORDER BY rev DESC LIMIT 1),
        CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        old.password IS NOT NULL, old.slug, old.source, old.external_id
    WHERE TRUE
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'event', old.id, old.author, (SELECT rev FROM journal WHERE kind = 'event' AND id = old.id ORDER BY rev DESC LIMIT 1),
        CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        old.password IS NOT NULL, old.slug, old.source, old.external_id
    WHERE TRUE
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'event', old.id, 0, (SELECT rev FROM journal WHERE kind = 'event' AND id = old.id ORDER BY rev DESC LIMIT 1),
        CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        old.password IS NOT NULL, old.slug, old.source, old.external_id
    WHERE old.status = 'publish'
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_cause (kind, id, rev)
    SELECT 'event', old.id, (SELECT rev FROM journal WHERE kind = 'event' AND id = old.id ORDER BY rev DESC LIMIT 1)
    WHERE EXISTS (SELECT 1 FROM change_unlinked WHERE kind = 'event' AND target = old.id)
    ON CONFLICT (kind, id) DO UPDATE SET rev = excluded.rev;
END;

CREATE TRIGGER venue_deleted BEFORE DELETE ON venue BEGIN
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'venue', old.id, -1, (SELECT rev FROM journal WHERE kind = 'venue' AND id = old.id ORDER BY rev DESC LIMIT 1),
        CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        0, old.slug, old.source, old.external_id
    WHERE TRUE
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'venue', old.id, old.author, (SELECT rev FROM journal WHERE kind = 'venue' AND id = old.id ORDER BY rev DESC LIMIT 1),
        CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        0, old.slug, old.source, old.external_id
    WHERE TRUE
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'venue', old.id, 0, (SELECT rev FROM journal WHERE kind = 'venue' AND id = old.id ORDER BY rev DESC LIMIT 1),
        CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        0, old.slug, old.source, old.external_id
    WHERE old.status = 'publish'
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_unlinked (kind, target, event, rev)
    SELECT 'venue', old.id, event, (SELECT rev FROM journal WHERE kind = 'venue' AND id = old.id ORDER BY rev DESC LIMIT 1) FROM event_venue WHERE target = old.id AND position IS NOT NULL
    ON CONFLICT (kind, target, event) DO NOTHING;
END;

CREATE TRIGGER organizer_deleted BEFORE DELETE ON organizer BEGIN
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'organizer', old.id, -1, (SELECT rev FROM journal WHERE kind = 'organizer' AND id = old.id ORDER BY rev DESC LIMIT 1),
        CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        0, old.slug, old.source, old.external_id
    WHERE TRUE
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'organizer', old.id, old.author, (SELECT rev FROM journal WHERE kind = 'organizer' AND id = old.id ORDER BY rev DESC LIMIT 1),
        CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        0, old.slug, old.source, old.external_id
    WHERE TRUE
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'organizer', old.id, 0, (SELECT rev FROM journal WHERE kind = 'organizer' AND id = old.id ORDER BY rev DESC LIMIT 1),
        CASE old.status WHEN 'trash' THEN old.trashed_from ELSE old.status END,
        0, old.slug, old.source, old.external_id
    WHERE old.status = 'publish'
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_unlinked (kind, target, event, rev)
    SELECT 'organizer', old.id, event, (SELECT rev FROM journal WHERE kind = 'organizer' AND id = old.id ORDER BY rev DESC LIMIT 1) FROM event_organizer WHERE target = old.id AND position IS NOT NULL
    ON CONFLICT (kind, target, event) DO NOTHING;
END;

CREATE TRIGGER category_deleted BEFORE DELETE ON category BEGIN
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'category', old.id, -1, (SELECT rev FROM journal WHERE kind = 'category' AND id = old.id ORDER BY rev DESC LIMIT 1),
        '',
        0, old.slug, old.source, old.external_id
    WHERE TRUE
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'category', old.id, 0, (SELECT rev FROM journal WHERE kind = 'category' AND id = old.id ORDER BY rev DESC LIMIT 1),
        '',
        0, old.slug, old.source, old.external_id
    WHERE TRUE
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_unlinked (kind, target, event, rev)
    SELECT 'category', old.id, event, (SELECT rev FROM journal WHERE kind = 'category' AND id = old.id ORDER BY rev DESC LIMIT 1) FROM event_category WHERE target = old.id AND position IS NOT NULL
    ON CONFLICT (kind, target, event) DO NOTHING;
END;

CREATE TRIGGER tag_deleted BEFORE DELETE ON tag BEGIN
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'tag', old.id, -1, (SELECT rev FROM journal WHERE kind = 'tag' AND id = old.id ORDER BY rev DESC LIMIT 1),
        '',
        0, old.slug, old.source, old.external_id
    WHERE TRUE
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    SELECT
        'tag', old.id, 0, (SELECT rev FROM journal WHERE kind = 'tag' AND id = old.id ORDER BY rev DESC LIMIT 1),
        '',
        0, old.slug, old.source, old.external_id
    WHERE TRUE
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
    INSERT INTO change_unlinked (kind, target, event, rev)
    SELECT 'tag', old.id, event, (SELECT rev FROM journal WHERE kind = 'tag' AND id = old.id ORDER BY rev DESC LIMIT 1) FROM event_tag WHERE target = old.id AND position IS NOT NULL
    ON CONFLICT (kind, target, event) DO NOTHING;
END;
