-- Records as strangers see them, made ready when they change. Posts are here by their id, terms, which have numbers of
-- their own, by theirs below zero. `made` tells with which code and settings; it is empty for what strangers do not
-- see. Nothing rests on a row being there: a calendar from before this table is made ready while it serves.
-- The number `part` goes up whenever a row changes that events show.
INSERT INTO sequence (name, last) VALUES ('part', 0);
CREATE TABLE ready (
    key INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    made TEXT NOT NULL,
    sort_name TEXT NOT NULL,
    linked TEXT NOT NULL,
    body BLOB NOT NULL,
    detail BLOB NOT NULL
) STRICT;
