-- Tables and columns under the names that the code uses. Nothing is rewritten.
ALTER TABLE ready RENAME TO fragment;
ALTER TABLE fragment RENAME COLUMN made TO render_version;
ALTER TABLE fragment RENAME COLUMN linked TO links;
ALTER TABLE failure RENAME TO throttle;

-- 0 not in everybody's lists, 1 listed but masked, 2 listed.
ALTER TABLE event RENAME COLUMN reach TO visibility_level;
ALTER TABLE event_venue RENAME COLUMN reach TO visibility_level;
ALTER TABLE event_organizer RENAME COLUMN reach TO visibility_level;
ALTER TABLE event_category RENAME COLUMN reach TO visibility_level;
ALTER TABLE event_tag RENAME COLUMN reach TO visibility_level;
ALTER TABLE event_text RENAME COLUMN reach TO visibility_level;
ALTER TABLE venue_text RENAME COLUMN reach TO visibility_level;
ALTER TABLE organizer_text RENAME COLUMN reach TO visibility_level;

-- The row id by which the word index knows a text.
ALTER TABLE event RENAME COLUMN slot TO search_row;
ALTER TABLE event_text RENAME COLUMN slot TO search_row;
ALTER TABLE venue_text RENAME COLUMN slot TO search_row;
ALTER TABLE organizer_text RENAME COLUMN slot TO search_row;

-- The times that a change touched: kept responses no longer depend on them.
ALTER TABLE journal DROP COLUMN low;
ALTER TABLE journal DROP COLUMN high;
