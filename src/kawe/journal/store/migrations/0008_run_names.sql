-- Which run it is, as in the log and in results, and the exit code that the rows of
-- its batch gave. Runs of an older kawe have neither.
ALTER TABLE run ADD COLUMN name TEXT NOT NULL DEFAULT ''
    CHECK (typeof(name) = 'text');
ALTER TABLE run ADD COLUMN exit_code INTEGER
    CHECK (typeof(exit_code) IN ('integer', 'null'));
