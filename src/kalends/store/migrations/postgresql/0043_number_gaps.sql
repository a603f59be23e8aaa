-- Numbers of a sequence that were passed over and never named anything: an import may still give them to the records
-- that have them at their source.
CREATE TABLE number_gap (
    name TEXT COLLATE "C" NOT NULL,
    first BIGINT NOT NULL,
    last BIGINT NOT NULL,
    PRIMARY KEY (name, first)
);
