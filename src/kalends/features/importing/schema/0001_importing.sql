INSERT INTO sequence (name, last) VALUES ('import_job', 0), ('import_run', 0);

-- What imports remember of each record: digests of its fields as the source had them and as they were here afterwards,
-- its number at the source, and the parent that was not there yet. A row stays when the record is deleted here. `run` was
-- the first to know the record, until it is undone.
CREATE TABLE import_record (
    source TEXT NOT NULL,
    kind TEXT NOT NULL,
    external_id TEXT NOT NULL,
    id INTEGER NOT NULL,
    old_id INTEGER NOT NULL,
    digests TEXT NOT NULL,
    parent TEXT NOT NULL,
    run INTEGER NOT NULL,
    PRIMARY KEY (source, kind, external_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_record_old_id ON import_record (old_id) WHERE old_id > 0;
CREATE INDEX import_record_parent ON import_record (source) WHERE parent <> '';
-- By which what is remembered of a record that goes is found.
CREATE INDEX import_record_id ON import_record (kind, id);
CREATE INDEX import_record_run ON import_record (run) WHERE run > 0;

-- Runs of imports: one row for each that stored something. `job` is that of the admin, 0 for a command or a source. One
-- that has not come to its end has a `position`, of what its `fingerprint` tells. What a run did is in the journal.
-- `state` is empty, undoing or undone; `report` (JSON) is what came of undoing it.
CREATE TABLE import_run (
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL,
    "user" INTEGER NOT NULL,
    source TEXT NOT NULL,
    label TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    position TEXT NOT NULL,
    began_utc TEXT NOT NULL,
    updated_utc TEXT NOT NULL,
    ended_utc TEXT NOT NULL,
    state TEXT NOT NULL,
    report TEXT NOT NULL
) STRICT;
CREATE INDEX import_run_job ON import_run (job, id);
CREATE INDEX import_run_source ON import_run (source, id);

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
