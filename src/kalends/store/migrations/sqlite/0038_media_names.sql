-- Pictures are found by the names that their files had when they were uploaded, and those without case and accents.
ALTER TABLE media ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE media ADD COLUMN sort_name TEXT NOT NULL DEFAULT '';
