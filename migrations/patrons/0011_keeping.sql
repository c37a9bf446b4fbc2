-- Works that became redirects and that patrons may hold: their shelves follow. Times are milliseconds since the epoch.
CREATE TABLE work_move (
  from_id INTEGER PRIMARY KEY,         -- number of the work's key
  after TEXT NOT NULL DEFAULT '',      -- patrons up to this name have been visited in this pass
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL             -- when somebody last worked on it
) STRICT;
CREATE INDEX work_move_by_updated ON work_move (updated);

-- Accounts that are being removed. A row goes when nothing is left of the account.
CREATE TABLE removal (
  id INTEGER PRIMARY KEY,
  username_folded TEXT NOT NULL UNIQUE,
  username TEXT NOT NULL,
  email TEXT NOT NULL,
  anonymous TEXT NOT NULL,             -- name under which shelves, ratings and observations stay counted
  is_swept INTEGER NOT NULL DEFAULT 0, -- 1: everything was removed once; what was on its way then is left to remove
  created INTEGER NOT NULL,
  due INTEGER NOT NULL                 -- when it is to be gone on with
) STRICT;
CREATE INDEX removal_by_due ON removal (due);

-- Imports of reading logs that are under way; the patron's object has them. A row is what the sweep goes by.
CREATE TABLE import_job (
  username_folded TEXT PRIMARY KEY,
  id TEXT NOT NULL,                    -- of the import: a newer one takes the place of the one before
  due INTEGER NOT NULL                 -- when it counts as left alone
) STRICT, WITHOUT ROWID;
CREATE INDEX import_job_by_due ON import_job (due);
