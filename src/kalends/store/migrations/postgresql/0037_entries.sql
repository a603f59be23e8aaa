-- What feeds show of a record, packed with the body as its dictionary (store/rows/packed_entries.py). Empty until the
-- record is rendered by code that knows it; another version of the code does not read it.
ALTER TABLE fragment ADD COLUMN entry bytea NOT NULL DEFAULT '';
