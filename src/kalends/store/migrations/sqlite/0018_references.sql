-- Records that were merged, by their ids: whatever still names the old one (an earlier version, an import) means the
-- target. Never in chains: what was merged into a record that is merged itself follows it.
CREATE TABLE merged (
    kind TEXT NOT NULL,
    old INTEGER NOT NULL,
    target INTEGER NOT NULL,
    PRIMARY KEY (kind, old)
) STRICT, WITHOUT ROWID;
CREATE INDEX merged_target ON merged (kind, target);

-- What the template of each series names: venues, organizers, categories, tags and images ('media').
CREATE TABLE series_reference (
    kind TEXT NOT NULL,
    target INTEGER NOT NULL,
    series INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
    PRIMARY KEY (kind, target, series)
) STRICT, WITHOUT ROWID;
CREATE INDEX series_reference_series ON series_reference (series);

-- Series that were left behind without events, by a record that was refused in the middle.
DELETE FROM fragment WHERE kind = 'series'
    AND key IN (SELECT id FROM series WHERE NOT EXISTS (SELECT 1 FROM event WHERE event.series = series.id));
DELETE FROM series WHERE NOT EXISTS (SELECT 1 FROM event WHERE event.series = series.id);

-- Images that were deleted, but not from the templates that show them.
UPDATE series SET template = json_set(template, '$.event.image', json('null'))
WHERE json_extract(template, '$.event.image') IS NOT NULL
    AND json_extract(template, '$.event.image') NOT IN (SELECT id FROM media);

INSERT INTO series_reference (kind, target, series)
SELECT DISTINCT linked.key, target.value, series.id
FROM series, json_each(series.template, '$.links') AS linked, json_each(linked.value) AS target;
INSERT INTO series_reference (kind, target, series)
SELECT 'media', json_extract(template, '$.event.image'), id FROM series
WHERE json_extract(template, '$.event.image') IS NOT NULL;
