INSERT INTO sequence (name, last) VALUES ('import_job', 0), ('import_entry', 0);

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
-- By which what is remembered of a record that goes is found.
CREATE INDEX import_record_id ON import_record (kind, id);

-- Imports that have not come to their end: what was imported, as a fingerprint, and how far it came.
CREATE TABLE import_run (
    source TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    position TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Imports that somebody has started in the admin, with how far they are and what came of them.
CREATE TABLE import_job (
    id INTEGER PRIMARY KEY,
    "user" INTEGER NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    place TEXT NOT NULL,
    options TEXT NOT NULL,
    state TEXT NOT NULL,
    done INTEGER NOT NULL,
    total INTEGER NOT NULL,
    report TEXT NOT NULL,
    created_utc TEXT NOT NULL,
    updated_utc TEXT NOT NULL
) STRICT;

-- What imports did, so that they can be undone: one row for each run that changed something. `job` is that of the
-- admin, 0 for a command. `state` is empty, undoing or undone; `report` is what came of undoing it.
CREATE TABLE import_entry (
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL,
    "user" INTEGER NOT NULL,
    source TEXT NOT NULL,
    label TEXT NOT NULL,
    began_utc TEXT NOT NULL,
    updated_utc TEXT NOT NULL,
    ended_utc TEXT NOT NULL,
    state TEXT NOT NULL,
    report TEXT NOT NULL
) STRICT;
CREATE INDEX import_entry_job ON import_entry (job, id);
CREATE INDEX import_entry_source ON import_entry (source, id);

-- What a run created, changed or deleted: its first and its last change of each record. `edited`: somebody else
-- changed the record between them. `before` is what a series was, which has no versions.
CREATE TABLE import_change (
    entry INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    action TEXT NOT NULL,
    first_rev INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    edited INTEGER NOT NULL,
    before TEXT NOT NULL,
    PRIMARY KEY (entry, kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_change_record ON import_change (kind, id, entry);

-- What imports remembered of a record before the run (a row of import_record as JSON), empty if nothing.
CREATE TABLE import_memory (
    entry INTEGER NOT NULL,
    source TEXT NOT NULL,
    kind TEXT NOT NULL,
    external_id TEXT NOT NULL,
    id INTEGER NOT NULL,
    before TEXT NOT NULL,
    PRIMARY KEY (entry, kind, id, source, external_id)
) STRICT, WITHOUT ROWID;
