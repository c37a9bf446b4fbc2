-- Highest number given out or loaded, per sequence of records.md 9.
CREATE TABLE sequence (
  name TEXT PRIMARY KEY,               -- 'type_work_seq', 'list', ...; 'record' numbers keys that have no OLID
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
