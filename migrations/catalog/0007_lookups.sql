-- Identifiers that readers asked for and no edition has; the affiliate lookup works them off (lookup.md 3.6).
CREATE TABLE lookup (
  identifier TEXT PRIMARY KEY,         -- ISBN-13, or ISBN-10 / ASIN that has no ISBN-13 form
  isbn TEXT,
  asin TEXT,
  priority TEXT NOT NULL CHECK (priority IN ('high', 'low')),
  requested TEXT NOT NULL,             -- first request of the current period
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'done', 'failed'))
) STRICT, WITHOUT ROWID;
CREATE INDEX lookup_by_status ON lookup (status, priority, requested);
