-- Old addresses of records: after a new slug, and after two records became one.
CREATE TABLE redirect (
    kind TEXT COLLATE "C" NOT NULL,
    slug_key TEXT COLLATE "C" NOT NULL,
    target BIGINT NOT NULL,
    PRIMARY KEY (kind, slug_key)
);
