/**
 * Schema of a patron's object, as steps that are never changed once they have run anywhere: new ones are added at the
 * end. Times are milliseconds since the epoch.
 */
export const STEPS: readonly string[] = [
  `CREATE TABLE session (
     id TEXT PRIMARY KEY,
     opened INTEGER NOT NULL,
     expires INTEGER NOT NULL,
     seen INTEGER NOT NULL,
     remembered INTEGER NOT NULL,
     client TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE preference (
     name TEXT PRIMARY KEY,
     value TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE state (
     name TEXT PRIMARY KEY,
     value TEXT NOT NULL
   ) STRICT, WITHOUT ROWID`,
  // Reading: works and editions are the numbers of their keys. Edition 0 in a key stands for the work as a whole.
  `CREATE TABLE shelf_entry (
     work INTEGER PRIMARY KEY,
     shelf INTEGER NOT NULL CHECK (shelf BETWEEN 1 AND 4),
     edition INTEGER,
     created INTEGER NOT NULL,
     updated INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX shelf_entry_by_shelf ON shelf_entry (shelf, created DESC, work DESC);
   CREATE TABLE shelf_size (
     shelf INTEGER PRIMARY KEY,
     entries INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE rating (
     work INTEGER PRIMARY KEY,
     stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
     edition INTEGER,
     created INTEGER NOT NULL,
     updated INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE check_in (
     id INTEGER PRIMARY KEY,
     work INTEGER NOT NULL,
     edition INTEGER,
     type INTEGER NOT NULL CHECK (type BETWEEN 1 AND 3),
     date TEXT NOT NULL,
     created INTEGER NOT NULL,
     updated INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX check_in_by_work ON check_in (work, type, date);
   CREATE INDEX check_in_by_date ON check_in (type, date, work);
   CREATE TABLE goal (
     year INTEGER PRIMARY KEY,
     target INTEGER NOT NULL,
     created INTEGER NOT NULL,
     updated INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE note (
     work INTEGER NOT NULL,
     edition INTEGER NOT NULL,
     text TEXT NOT NULL,
     created INTEGER NOT NULL,
     updated INTEGER NOT NULL,
     PRIMARY KEY (work, edition)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE observation (
     work INTEGER NOT NULL,
     type INTEGER NOT NULL,
     value INTEGER NOT NULL,
     created INTEGER NOT NULL,
     PRIMARY KEY (work, type, value)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE award (
     id INTEGER PRIMARY KEY,
     work INTEGER NOT NULL UNIQUE,
     topic TEXT NOT NULL UNIQUE,
     edition INTEGER,
     comment TEXT NOT NULL,
     created INTEGER NOT NULL,
     updated INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE follow (
     publisher TEXT PRIMARY KEY,
     username TEXT NOT NULL,
     disabled INTEGER NOT NULL,
     created INTEGER NOT NULL,
     updated INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE opinion (
     key TEXT PRIMARY KEY,
     value INTEGER NOT NULL CHECK (value IN (1, -1)),
     created INTEGER NOT NULL,
     modified INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE outbox (
     kind TEXT NOT NULL,
     subject TEXT NOT NULL,
     sequence INTEGER NOT NULL UNIQUE,
     PRIMARY KEY (kind, subject)
   ) STRICT, WITHOUT ROWID`,
  // Lending: loan statuses from the desks of items, and loan requests that they have not answered yet.
  `CREATE TABLE lending (
     ocaid TEXT PRIMARY KEY,
     sequence INTEGER NOT NULL,
     heard INTEGER NOT NULL,
     uuid TEXT,
     book TEXT,
     kind TEXT,
     loaned_at INTEGER,
     expiry INTEGER,
     waits INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE lending_wish (
     ocaid TEXT NOT NULL,
     request TEXT NOT NULL,
     kind TEXT NOT NULL CHECK (kind IN ('loan', 'place')),
     asked INTEGER NOT NULL,
     PRIMARY KEY (ocaid, request)
   ) STRICT, WITHOUT ROWID`,
  // Imports of reading logs: the newest one, and its rows.
  `CREATE TABLE import (
     id TEXT PRIMARY KEY,
     created INTEGER NOT NULL,
     updated INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE import_row (
     position INTEGER PRIMARY KEY,
     title TEXT NOT NULL,
     author TEXT NOT NULL,
     isbn TEXT,
     shelf INTEGER,
     stars INTEGER,
     finished TEXT,
     note TEXT NOT NULL,
     problem TEXT,
     is_done INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE INDEX import_row_waiting ON import_row (position) WHERE problem IS NULL AND NOT is_done`,
  // Check-ins that the last shelf change deleted, for its undo.
  `CREATE TABLE removed_check_in (
     id INTEGER PRIMARY KEY,
     work INTEGER NOT NULL,
     edition INTEGER,
     type INTEGER NOT NULL,
     date TEXT NOT NULL,
     created INTEGER NOT NULL,
     updated INTEGER NOT NULL
   ) STRICT`,
  // Imports from other services: numbers of the catalog, all dates, lists and observations of a row as JSON; the books
  // that a doubtful row may be, the work that a row was imported as, and lists to be made.
  `ALTER TABLE import_row ADD COLUMN details TEXT NOT NULL DEFAULT '{}';
   ALTER TABLE import_row ADD COLUMN candidates TEXT NOT NULL DEFAULT '[]';
   ALTER TABLE import_row ADD COLUMN work INTEGER;
   UPDATE import_row SET details = json_object('events', json_array(json_object('type', 3, 'date', finished)))
     WHERE finished IS NOT NULL;
   ALTER TABLE import_row DROP COLUMN finished;
   CREATE TABLE import_list (
     name TEXT PRIMARY KEY,
     key TEXT,
     problem TEXT,
     is_done INTEGER NOT NULL DEFAULT 0
   ) STRICT, WITHOUT ROWID`,
  // The outbox without the index of its sequences: a change writes a row less, and few rows wait at a time.
  `CREATE TABLE outbox_rebuilt (
     kind TEXT NOT NULL,
     subject TEXT NOT NULL,
     sequence INTEGER NOT NULL,
     PRIMARY KEY (kind, subject)
   ) STRICT, WITHOUT ROWID;
   INSERT INTO outbox_rebuilt SELECT kind, subject, sequence FROM outbox;
   DROP TABLE outbox;
   ALTER TABLE outbox_rebuilt RENAME TO outbox`,
  // Progress of reading on e-readers, by document; `tried` is when the document was last matched with a work.
  `CREATE TABLE sync_document (
     document TEXT PRIMARY KEY,
     progress TEXT NOT NULL,
     percentage REAL NOT NULL,
     device TEXT NOT NULL,
     device_id TEXT,
     title TEXT,
     authors TEXT,
     work INTEGER,
     tried INTEGER NOT NULL,
     updated INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX sync_document_by_work ON sync_document (work, updated)`,
  // Access of programs: personal tokens and apps, and the hashes of their tokens.
  `CREATE TABLE access_grant (
     id TEXT PRIMARY KEY,
     client TEXT,
     name TEXT NOT NULL,
     place TEXT NOT NULL,
     scopes TEXT NOT NULL,
     created INTEGER NOT NULL,
     expires INTEGER,
     seen INTEGER,
     network TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE token (
     hash TEXT PRIMARY KEY,
     grant_id TEXT NOT NULL,
     kind TEXT NOT NULL CHECK (kind IN ('use', 'code', 'refresh')),
     expires INTEGER NOT NULL,
     used INTEGER NOT NULL,
     terms TEXT
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX token_by_grant ON token (grant_id)`,
];
