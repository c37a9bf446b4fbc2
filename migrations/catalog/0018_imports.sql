-- What is to be imported: batches, and their items, each of which becomes an edition or is refused.
CREATE TABLE import_batch (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  submitter TEXT,
  submit_time TEXT NOT NULL,
  -- A file of R2 that items are made of, as far as `position` (bytes) says; null: items came with the batch.
  object TEXT,
  format TEXT CHECK (format IN ('jsonl', 'marc', 'marcxml', 'opds', 'rdf')),
  -- SHA-256 of the file as whoever put it there says, in hex: the same name with another file is an error.
  digest TEXT,
  size INTEGER,
  position INTEGER NOT NULL DEFAULT 0,
  -- Records or lines read so far, and those of them that are items already elsewhere.
  records INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  -- `splitting`: items are still being made; `failed`: the file cannot be read on, `problem` says why.
  state TEXT NOT NULL DEFAULT 'ready' CHECK (state IN ('splitting', 'ready', 'failed')),
  problem TEXT,
  updated TEXT NOT NULL
) STRICT;
CREATE INDEX import_batch_by_submitter ON import_batch (submitter, id);
CREATE INDEX import_batch_by_state ON import_batch (state, updated);

CREATE TABLE import_item (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  batch_id INTEGER NOT NULL REFERENCES import_batch (id),
  added_time TEXT NOT NULL,
  import_time TEXT,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN
    ('needs_review', 'staged', 'pending', 'processing', 'created', 'modified', 'matched', 'found', 'failed')),
  error TEXT,
  ia_id TEXT NOT NULL,
  data TEXT,
  ol_key TEXT,
  comments TEXT,
  submitter TEXT,
  -- Where it stands in the batch's file: number of the line, or of the first byte.
  place INTEGER,
  -- Who works on it, since when, and which status it goes back to when he is lost.
  claim TEXT,
  claimed TEXT,
  claimed_from TEXT,
  -- How often the service failed at it, how often somebody who worked on it was lost, and when it may be tried again
  -- (null: at once).
  attempts INTEGER NOT NULL DEFAULT 0,
  losses INTEGER NOT NULL DEFAULT 0,
  due TEXT,
  -- When a message about it was last sent, or is due; '' for never: of those that were forgotten another one is sent.
  sent TEXT NOT NULL DEFAULT '',
  UNIQUE (batch_id, ia_id)
) STRICT;
CREATE INDEX import_item_by_status ON import_item (status, id);
CREATE INDEX import_item_by_ia_id ON import_item (ia_id);
CREATE INDEX import_item_by_added ON import_item (added_time, status);
CREATE INDEX import_item_by_import ON import_item (import_time, status) WHERE import_time IS NOT NULL;
CREATE INDEX import_item_by_submitter ON import_item (submitter, id);
CREATE INDEX import_item_by_batch_status ON import_item (batch_id, status);
CREATE INDEX import_item_by_batch_added ON import_item (batch_id, added_time);
CREATE INDEX import_item_by_batch_import ON import_item (batch_id, import_time);
CREATE INDEX import_item_claimed ON import_item (claimed) WHERE status = 'processing';
CREATE INDEX import_item_sent ON import_item (sent) WHERE status = 'pending';
CREATE INDEX import_item_failed ON import_item (error, import_time) WHERE status = 'failed';
