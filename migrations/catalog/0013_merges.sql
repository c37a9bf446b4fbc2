-- Merges that are too large for one change, and how they ended. The records themselves say how far one has come.
CREATE TABLE merge_job (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('author', 'work')),
  master TEXT NOT NULL,                -- key
  duplicates TEXT NOT NULL,            -- JSON array of keys, sorted
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'failed')),
  problem TEXT,                        -- why it failed
  author TEXT NOT NULL,                -- '/people/<username>': who goes on by request, and for whom the sweep does
  ip TEXT,                             -- for administrators only
  request TEXT NOT NULL,               -- JSON {mrid, olids, comment}: what is told to the queue of requests at the end
  created TEXT NOT NULL,               -- naive UTC, six fraction digits; so is updated
  updated TEXT NOT NULL
) STRICT;
CREATE INDEX merge_job_open ON merge_job (updated) WHERE state = 'open';

-- Merges that librarians propose to each other (records.md 5.4).
CREATE TABLE merge_request (
  id INTEGER PRIMARY KEY,              -- the `mrid` of the wire
  title TEXT,                          -- name of the first record when it was proposed
  submitter TEXT NOT NULL,             -- username; so is reviewer
  reviewer TEXT,
  url TEXT NOT NULL,                   -- where it is merged
  mr_type INTEGER NOT NULL CHECK (mr_type IN (1, 2)),      -- 1 works, 2 authors
  status INTEGER NOT NULL CHECK (status IN (0, 1, 2)),     -- 0 declined, 1 pending, 2 merged
  comments TEXT NOT NULL DEFAULT '{"comments":[]}',        -- JSON {comments: [{timestamp, username, message}]}
  created TEXT NOT NULL,               -- naive UTC, six fraction digits; so is updated
  updated TEXT NOT NULL
) STRICT;
-- The same merge is proposed once, unless it was declined.
CREATE UNIQUE INDEX merge_request_url ON merge_request (url) WHERE status <> 0;
CREATE INDEX merge_request_by_status ON merge_request (status, updated);
