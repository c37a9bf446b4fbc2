-- Index rows that records from before have to get: up to which id they were looked at. What is done has no row here, and
-- an empty catalog has nothing to do.
CREATE TABLE index_backfill (
  name TEXT PRIMARY KEY,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO index_backfill (name, position) SELECT 'imports', 0 WHERE EXISTS (SELECT 1 FROM record);
