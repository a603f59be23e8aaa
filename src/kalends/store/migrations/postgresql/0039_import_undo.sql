-- What imports did, so that they can be undone: one row for each run that changed something. `job` is that of the
-- admin, 0 for a command. `state` is empty, undoing or undone; `report` is what came of undoing it.
CREATE TABLE import_entry (
    id BIGINT PRIMARY KEY,
    job BIGINT NOT NULL,
    "user" BIGINT NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    label TEXT COLLATE "C" NOT NULL,
    began_utc TEXT COLLATE "C" NOT NULL,
    updated_utc TEXT COLLATE "C" NOT NULL,
    ended_utc TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    report TEXT COLLATE "C" NOT NULL
);
CREATE INDEX import_entry_job ON import_entry (job, id);
CREATE INDEX import_entry_source ON import_entry (source, id);

-- What a run created, changed or deleted: its first and its last change of each record. `edited`: somebody else
-- changed the record between them. `before` is what a series was, which has no versions.
CREATE TABLE import_change (
    entry BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    action TEXT COLLATE "C" NOT NULL,
    first_rev BIGINT NOT NULL,
    rev BIGINT NOT NULL,
    edited BIGINT NOT NULL,
    before TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (entry, kind, id)
);
CREATE INDEX import_change_record ON import_change (kind, id, entry);

-- What imports remembered of a record before the run (a row of import_record as JSON), empty if nothing.
CREATE TABLE import_memory (
    entry BIGINT NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    external_id TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    before TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (entry, kind, id, source, external_id)
);

-- By which what is remembered of a record that goes is found.
CREATE INDEX import_record_id ON import_record (kind, id);

INSERT INTO sequence (name, last) VALUES ('import_entry', 0);
