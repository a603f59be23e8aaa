-- Numbers of a sequence that were passed over and never named anything: an import may still give them to the records
-- that have them at their source.
CREATE TABLE number_gap (
    name TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (name, first)
) STRICT, WITHOUT ROWID;
