-- Where a record comes from: the other calendar or program, and the record's id there.
ALTER TABLE event ADD COLUMN source TEXT NOT NULL DEFAULT '';
ALTER TABLE event ADD COLUMN external_id TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX event_external ON event (external_id, source) WHERE external_id <> '';
ALTER TABLE venue ADD COLUMN source TEXT NOT NULL DEFAULT '';
ALTER TABLE venue ADD COLUMN external_id TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX venue_external ON venue (external_id, source) WHERE external_id <> '';
ALTER TABLE organizer ADD COLUMN source TEXT NOT NULL DEFAULT '';
ALTER TABLE organizer ADD COLUMN external_id TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX organizer_external ON organizer (external_id, source) WHERE external_id <> '';
ALTER TABLE category ADD COLUMN source TEXT NOT NULL DEFAULT '';
ALTER TABLE category ADD COLUMN external_id TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX category_external ON category (external_id, source) WHERE external_id <> '';
ALTER TABLE tag ADD COLUMN source TEXT NOT NULL DEFAULT '';
ALTER TABLE tag ADD COLUMN external_id TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX tag_external ON tag (external_id, source) WHERE external_id <> '';

-- What imports remember of each record: digests of its fields as the source had them and as they were here afterwards,
-- its number at the source, and the parent that was not there yet. A row stays when the record is deleted here.
CREATE TABLE import_record (
    source TEXT NOT NULL,
    kind TEXT NOT NULL,
    external_id TEXT NOT NULL,
    id INTEGER NOT NULL,
    old_id INTEGER NOT NULL,
    digests TEXT NOT NULL,
    parent TEXT NOT NULL,
    PRIMARY KEY (source, kind, external_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_record_old_id ON import_record (old_id) WHERE old_id > 0;
CREATE INDEX import_record_parent ON import_record (source) WHERE parent <> '';

-- Imports that have not come to their end: what was imported, as a fingerprint, and how far it came.
CREATE TABLE import_run (
    source TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    position TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
