-- Old addresses of records: after a new slug, and after two records became one.
CREATE TABLE redirect (
    kind TEXT NOT NULL,
    slug_key TEXT NOT NULL,
    target INTEGER NOT NULL,
    PRIMARY KEY (kind, slug_key)
) STRICT, WITHOUT ROWID;
