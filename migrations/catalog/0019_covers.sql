-- Images of editions, works and authors: where they came from and how they stand. The image itself is in R2.
CREATE TABLE cover (
  id INTEGER PRIMARY KEY,
  category TEXT NOT NULL CHECK (category IN ('a', 'b', 'w')),
  -- The record that it was made for, without its folder: OL1M.
  olid TEXT,
  source_url TEXT,
  author TEXT,
  ip TEXT,
  -- `pending`: to be fetched from `source_url`; `failed`: for good.
  state TEXT NOT NULL CHECK (state IN ('pending', 'stored', 'failed')),
  -- Why it is not fetched yet, or has not been.
  problem TEXT,
  -- How often it was tried to fetch it, and from when on that may be done again.
  attempts INTEGER NOT NULL DEFAULT 0,
  due TEXT,
  content_type TEXT,
  bytes INTEGER,
  -- As people see it: an image that lies on its side is told with its sides changed.
  width INTEGER,
  height INTEGER,
  created TEXT NOT NULL,
  updated TEXT NOT NULL,
  CHECK (state <> 'pending' OR (source_url IS NOT NULL AND due IS NOT NULL)),
  CHECK (state <> 'stored' OR (content_type IS NOT NULL AND bytes > 0 AND width > 0 AND height > 0))
) STRICT;
CREATE INDEX cover_pending ON cover (due) WHERE state = 'pending';
CREATE INDEX cover_by_olid ON cover (olid) WHERE olid IS NOT NULL;

-- Covers made here are numbered far beyond those that loaded records name.
INSERT INTO sequence (name, value) VALUES ('cover', 100000000) ON CONFLICT (name) DO NOTHING;
