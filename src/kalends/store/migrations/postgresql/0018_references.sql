-- Records that were merged, by their ids: whatever still names the old one (an earlier version, an import) means the
-- target. Never in chains: what was merged into a record that is merged itself follows it.
CREATE TABLE merged (
    kind TEXT COLLATE "C" NOT NULL,
    old BIGINT NOT NULL,
    target BIGINT NOT NULL,
    PRIMARY KEY (kind, old)
);
CREATE INDEX merged_target ON merged (kind, target);

-- What the template of each series names: venues, organizers, categories, tags and images ('media').
CREATE TABLE series_reference (
    kind TEXT COLLATE "C" NOT NULL,
    target BIGINT NOT NULL,
    series BIGINT NOT NULL REFERENCES series (id) ON DELETE CASCADE,
    PRIMARY KEY (kind, target, series)
);
CREATE INDEX series_reference_series ON series_reference (series);

-- Series that were left behind without events, by a record that was refused in the middle.
DELETE FROM fragment WHERE kind = 'series'
    AND key IN (SELECT id FROM series WHERE NOT EXISTS (SELECT 1 FROM event WHERE event.series = series.id));
DELETE FROM series WHERE NOT EXISTS (SELECT 1 FROM event WHERE event.series = series.id);

-- Images that were deleted, but not from the templates that show them.
UPDATE series SET template = jsonb_set(template::jsonb, '{event,image}', 'null')::text
WHERE template::jsonb #>> '{event,image}' IS NOT NULL
    AND (template::jsonb #>> '{event,image}')::bigint NOT IN (SELECT id FROM media);

INSERT INTO series_reference (kind, target, series)
SELECT DISTINCT linked.key, target.value::bigint, series.id
FROM series, jsonb_each(series.template::jsonb -> 'links') AS linked, jsonb_array_elements_text(linked.value) AS target;
INSERT INTO series_reference (kind, target, series)
SELECT 'media', (template::jsonb #>> '{event,image}')::bigint, id FROM series
WHERE template::jsonb #>> '{event,image}' IS NOT NULL;
