-- Changes by author and by day.
CREATE INDEX change_by_author ON change (author) WHERE author IS NOT NULL;
CREATE INDEX change_by_created ON change (created);
