-- Documents that are no records: settings of administrators, and what programs keep (records.md 8.5).
CREATE TABLE store_document (
  key TEXT PRIMARY KEY,
  type TEXT,
  rev INTEGER NOT NULL,                -- ascending over all documents, never given out again
  document TEXT NOT NULL,              -- JSON object
  updated TEXT NOT NULL                -- naive UTC, six fraction digits
) STRICT, WITHOUT ROWID;
CREATE INDEX store_document_by_rev ON store_document (rev);
CREATE INDEX store_document_by_type ON store_document (type, rev);

-- Every leaf of these documents, for queries by name and value.
CREATE TABLE store_index (
  key TEXT NOT NULL,
  name TEXT NOT NULL,                  -- dotted: 'data.displayname'
  value TEXT NOT NULL,
  PRIMARY KEY (key, name, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX store_index_by_value ON store_index (name, value);

CREATE TABLE store_rev (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  value INTEGER NOT NULL               -- highest `rev` given out
) STRICT;
INSERT INTO store_rev (id, value) VALUES (1, 0);

-- Always empty. A row that would say 0 makes the transaction fail.
CREATE TABLE store_expectation (
  met INTEGER NOT NULL CHECK (met = 1)
) STRICT;
