-- The change that asked for a job last: a job that is asked for again while it runs must not count as done.
ALTER TABLE index_job ADD COLUMN change_id INTEGER NOT NULL DEFAULT 0;
