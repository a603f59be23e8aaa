-- Until when wishes for an event can be made, in UTC.
CREATE TABLE wish_time (event INTEGER PRIMARY KEY, closes TEXT NOT NULL) STRICT;
