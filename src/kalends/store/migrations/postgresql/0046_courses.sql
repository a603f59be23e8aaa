-- A series that is split becomes a course of several, which all name the first of them.

ALTER TABLE series ADD COLUMN series_of BIGINT NOT NULL DEFAULT 0;
UPDATE series SET series_of = id;
CREATE INDEX series_by_course ON series (series_of);
