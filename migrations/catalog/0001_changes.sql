-- The append-only log of changes: the truth from which every projection can be rebuilt.
CREATE TABLE change (
  id INTEGER PRIMARY KEY,              -- public and ascending; part of URLs
  kind TEXT NOT NULL,                  -- 'edit-book', 'bulk_update', ... (records.md 7.4)
  author TEXT,                         -- '/people/<username>'; NULL = the operator's loader
  comment TEXT,
  bot INTEGER NOT NULL DEFAULT 0,
  ip TEXT,                             -- for administrators only
  created TEXT NOT NULL,               -- naive UTC, six fraction digits
  changes TEXT,                        -- JSON [{key, revision}] in order of saving; NULL for a batch of a dump
  data TEXT NOT NULL DEFAULT '{}'      -- JSON object
) STRICT;

-- A batch inserts a row here only when what it expected is no longer so; the CHECK then undoes the batch.
CREATE TABLE expectation (
  met INTEGER NOT NULL CHECK (met = 1)
) STRICT;
