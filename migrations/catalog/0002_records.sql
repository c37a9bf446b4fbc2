-- The latest revision of every record, whole.
CREATE TABLE record (
  id INTEGER PRIMARY KEY,              -- kind and number of the key; see src/catalog/record-id.ts
  key TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,                  -- '/type/work'
  revision INTEGER NOT NULL,
  change_id INTEGER NOT NULL,          -- the change that made this revision
  flags INTEGER NOT NULL,              -- see src/catalog/record-flags.ts
  created TEXT NOT NULL,               -- naive UTC, six fraction digits; so is last_modified
  last_modified TEXT NOT NULL,
  document TEXT NOT NULL               -- JSON as stored, envelope included
) STRICT;
CREATE INDEX record_by_type ON record (type);
CREATE INDEX record_by_modified ON record (type, last_modified);
CREATE INDEX record_by_change ON record (change_id);

-- Revisions that a later one has superseded. No document is stored twice.
CREATE TABLE revision (
  record_id INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  change_id INTEGER NOT NULL,
  last_modified TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (record_id, revision)
) STRICT, WITHOUT ROWID;
CREATE INDEX revision_by_change ON revision (change_id);
