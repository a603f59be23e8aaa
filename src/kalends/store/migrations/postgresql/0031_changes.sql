-- What GET /changes tells of records that somebody could read and no longer can. `reader`: a user's id (it was theirs),
-- 0 (everybody: it was published) or -1 (those who read everything: it existed). `status` (before the trash) and
-- `is_protected` decide whether that reader saw all fields. A row goes when its reader can read the record again.
-- Triggers write it, so that no way of changing a record can forget to.
CREATE TABLE change_gone (
    kind TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    reader BIGINT NOT NULL,
    rev BIGINT NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    is_protected INTEGER NOT NULL,
    slug TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    external_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (kind, id, reader)
);
CREATE INDEX change_gone_order ON change_gone (reader, rev);

-- What else changes events that show it, or what somebody reads: the rule of a series, whether an event can be read that
-- is the parent of others, the role of a user; each with its last such change.
CREATE TABLE change_cause (
    kind TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    rev BIGINT NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE INDEX change_cause_order ON change_cause (rev);

-- The events that showed a record when it was deleted: their links went with it.
CREATE TABLE change_unlinked (
    kind TEXT COLLATE "C" NOT NULL,
    target BIGINT NOT NULL,
    event BIGINT NOT NULL,
    rev BIGINT NOT NULL,
    PRIMARY KEY (kind, target, event)
);
CREATE INDEX change_unlinked_order ON change_unlinked (rev);

-- What was withdrawn up to this change is not known, or no longer.
INSERT INTO change_cause (kind, id, rev) SELECT 'known after', 0, coalesce(max(rev), 0) FROM journal;

CREATE INDEX event_rev ON event (rev);
CREATE INDEX venue_rev ON venue (rev);
CREATE INDEX organizer_rev ON organizer (rev);
CREATE INDEX category_rev ON category (rev);
CREATE INDEX tag_rev ON tag (rev);

CREATE FUNCTION note_gone(kind TEXT, record JSONB, reader BIGINT, rev BIGINT) RETURNS VOID LANGUAGE sql AS $$
    INSERT INTO change_gone (kind, id, reader, rev, status, is_protected, slug, source, external_id)
    VALUES (
        $1, ($2 ->> 'id')::bigint, $3, $4,
        coalesce(CASE $2 ->> 'status' WHEN 'trash' THEN $2 ->> 'trashed_from' ELSE $2 ->> 'status' END, ''),
        CASE WHEN $2 ->> 'password' IS NULL THEN 0 ELSE 1 END,
        $2 ->> 'slug', $2 ->> 'source', $2 ->> 'external_id'
    )
    ON CONFLICT (kind, id, reader) DO UPDATE SET
        rev = excluded.rev, status = excluded.status, is_protected = excluded.is_protected,
        slug = excluded.slug, source = excluded.source, external_id = excluded.external_id;
$$;

CREATE FUNCTION note_cause(kind TEXT, id BIGINT, rev BIGINT) RETURNS VOID LANGUAGE sql AS $$
    INSERT INTO change_cause (kind, id, rev) VALUES ($1, $2, $3)
    ON CONFLICT (kind, id) DO UPDATE SET rev = excluded.rev;
$$;

CREATE FUNCTION read_by_others() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status = 'publish' AND NEW.status <> 'publish' THEN
        PERFORM note_gone(TG_TABLE_NAME, to_jsonb(OLD), 0, NEW.rev);
    END IF;
    IF OLD.author <> NEW.author THEN
        PERFORM note_gone(TG_TABLE_NAME, to_jsonb(OLD), OLD.author, NEW.rev);
    END IF;
    DELETE FROM change_gone g
    WHERE g.kind = TG_TABLE_NAME AND g.id = NEW.id
        AND (g.reader = NEW.author OR (g.reader = 0 AND NEW.status = 'publish'));
    IF TG_TABLE_NAME = 'event' AND EXISTS (SELECT 1 FROM event WHERE post_parent = NEW.id AND post_parent > 0) THEN
        PERFORM note_cause('event', NEW.id, NEW.rev);
    END IF;
    RETURN NULL;
END;
$$;

CREATE FUNCTION deleted_for_good() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    record JSONB := to_jsonb(OLD);
    last BIGINT := (
        SELECT j.rev FROM journal j WHERE j.kind = TG_TABLE_NAME AND j.id = OLD.id ORDER BY j.rev DESC LIMIT 1
    );
BEGIN
    PERFORM note_gone(TG_TABLE_NAME, record, -1, last);
    IF TG_TABLE_NAME IN ('category', 'tag') OR record ->> 'status' = 'publish' THEN
        PERFORM note_gone(TG_TABLE_NAME, record, 0, last);
    END IF;
    IF record ? 'author' THEN
        PERFORM note_gone(TG_TABLE_NAME, record, (record ->> 'author')::bigint, last);
    END IF;
    IF TG_TABLE_NAME <> 'event' THEN
        EXECUTE format(
            'INSERT INTO change_unlinked (kind, target, event, rev)'
            ' SELECT $1, $2, event, $3 FROM %I WHERE target = $2 AND position IS NOT NULL ON CONFLICT DO NOTHING',
            'event_' || TG_TABLE_NAME
        ) USING TG_TABLE_NAME, OLD.id, last;
    ELSIF EXISTS (SELECT 1 FROM change_unlinked u WHERE u.kind = 'event' AND u.target = OLD.id) THEN
        PERFORM note_cause('event', OLD.id, last);
    END IF;
    RETURN OLD;
END;
$$;

CREATE TRIGGER event_read_by_others AFTER UPDATE OF status, author ON event FOR EACH ROW
WHEN (OLD.author <> NEW.author OR (OLD.status = 'publish') <> (NEW.status = 'publish'))
EXECUTE FUNCTION read_by_others();
CREATE TRIGGER venue_read_by_others AFTER UPDATE OF status, author ON venue FOR EACH ROW
WHEN (OLD.author <> NEW.author OR (OLD.status = 'publish') <> (NEW.status = 'publish'))
EXECUTE FUNCTION read_by_others();
CREATE TRIGGER organizer_read_by_others AFTER UPDATE OF status, author ON organizer FOR EACH ROW
WHEN (OLD.author <> NEW.author OR (OLD.status = 'publish') <> (NEW.status = 'publish'))
EXECUTE FUNCTION read_by_others();

CREATE TRIGGER event_deleted BEFORE DELETE ON event FOR EACH ROW EXECUTE FUNCTION deleted_for_good();
CREATE TRIGGER venue_deleted BEFORE DELETE ON venue FOR EACH ROW EXECUTE FUNCTION deleted_for_good();
CREATE TRIGGER organizer_deleted BEFORE DELETE ON organizer FOR EACH ROW EXECUTE FUNCTION deleted_for_good();
CREATE TRIGGER category_deleted BEFORE DELETE ON category FOR EACH ROW EXECUTE FUNCTION deleted_for_good();
CREATE TRIGGER tag_deleted BEFORE DELETE ON tag FOR EACH ROW EXECUTE FUNCTION deleted_for_good();
