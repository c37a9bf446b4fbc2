-- Files of the whole catalog for download. A dump is made in steps; its row says how far it is.
CREATE TABLE dump (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('full', 'delta')),
  date TEXT NOT NULL,                  -- 'YYYY-MM-DD': the day on which it was begun, or whose revisions it has
  after_change INTEGER NOT NULL,       -- it has what changes after this one made,
  change_id INTEGER NOT NULL,          -- up to this one
  begun TEXT NOT NULL,                 -- naive UTC, six fraction digits; so are the other times
  state TEXT NOT NULL CHECK (state IN ('open', 'published', 'failed', 'retired')),
  stage TEXT NOT NULL,                 -- what is to be done next; 'done' = nothing
  position TEXT NOT NULL DEFAULT '{}', -- JSON: where that stage goes on
  step INTEGER NOT NULL DEFAULT 0,     -- steps done so far: messages about others are old
  lease TEXT,                          -- who works on it
  lease_until TEXT,
  attempts INTEGER NOT NULL DEFAULT 1, -- how often it was begun
  failures INTEGER NOT NULL DEFAULT 0, -- how often the step that is next has failed
  problem TEXT,
  updated TEXT NOT NULL,
  published TEXT,
  UNIQUE (kind, date)
) STRICT;
CREATE INDEX dump_unfinished ON dump (updated) WHERE stage <> 'done';
CREATE INDEX dump_published ON dump (kind, date) WHERE state = 'published';

-- Pieces of the files of a dump, each a complete gzip member. An object of R2 holds those of one step.
CREATE TABLE dump_member (
  dump_id INTEGER NOT NULL REFERENCES dump (id) ON DELETE CASCADE,
  step INTEGER NOT NULL,
  place INTEGER NOT NULL,              -- first byte in the object
  section TEXT NOT NULL,
  object TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  digest TEXT NOT NULL,                -- SHA-256 of the lines, in hex
  PRIMARY KEY (dump_id, step, place)
) STRICT, WITHOUT ROWID;

-- Files as they are served, once their dump is published.
CREATE TABLE dump_file (
  name TEXT PRIMARY KEY,               -- 'ol_dump_works_2026-11-01.txt.gz'
  dump_id INTEGER NOT NULL REFERENCES dump (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,              -- in the order in which they are shown
  object TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  digest TEXT NOT NULL                 -- SHA-256 of the file, in hex
) STRICT, WITHOUT ROWID;
CREATE INDEX dump_file_by_dump ON dump_file (dump_id, place);
