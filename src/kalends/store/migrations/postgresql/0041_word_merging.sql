-- The index of words of this database has no parts that are merged.

SELECT 1;
