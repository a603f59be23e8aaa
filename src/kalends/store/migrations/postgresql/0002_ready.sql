-- Records as strangers see them, made ready when they change. Posts are here by their id, terms, which have numbers of
-- their own, by theirs below zero. `made` tells with which code and settings; it is empty for what strangers do not
-- see. Nothing rests on a row being there: a calendar from before this table is made ready while it serves.
-- The number `part` goes up whenever a row changes that events show.
INSERT INTO sequence (name, last) VALUES ('part', 0);
CREATE TABLE ready (
    key BIGINT PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    made TEXT COLLATE "C" NOT NULL,
    sort_name TEXT COLLATE "C" NOT NULL,
    linked TEXT COLLATE "C" NOT NULL,
    body BYTEA NOT NULL,
    detail BYTEA NOT NULL
) WITH (toast_tuple_target = 8160);
-- In the row itself as far as it fits, and never compressed: a list only has to copy it.
ALTER TABLE ready ALTER body SET STORAGE EXTERNAL, ALTER detail SET STORAGE EXTERNAL;
