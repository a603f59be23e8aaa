-- Imports that somebody has started in the admin, with how far they are and what came of them.
CREATE TABLE import_job (
    id BIGINT PRIMARY KEY,
    "user" BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    label TEXT COLLATE "C" NOT NULL,
    place TEXT COLLATE "C" NOT NULL,
    options TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    done BIGINT NOT NULL,
    total BIGINT NOT NULL,
    report TEXT COLLATE "C" NOT NULL,
    created_utc TEXT COLLATE "C" NOT NULL,
    updated_utc TEXT COLLATE "C" NOT NULL
);

INSERT INTO sequence (name, last) VALUES ('import_job', 0);
