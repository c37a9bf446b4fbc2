-- What the loan desks of items have told (src/durable/loan-desk.ts). The desks are the truth; a desk's word with a lower
-- sequence than the one that is here changes nothing. Times are milliseconds since the epoch, patrons usernames in lower case.

-- How items stand that anybody has ever asked a desk for.
CREATE TABLE lending_item (
  ocaid TEXT PRIMARY KEY,
  sequence INTEGER NOT NULL,           -- of the desk's last word
  borrows INTEGER NOT NULL,            -- loans for two weeks
  browses INTEGER NOT NULL,            -- loans for an hour
  waiting INTEGER NOT NULL,            -- places in the queue
  reserved INTEGER NOT NULL,           -- copies kept for those whose turn it is
  last_loan INTEGER,
  last_waiting INTEGER,
  next_expiry INTEGER                  -- of a loan
) STRICT, WITHOUT ROWID;

CREATE TABLE loan (
  uuid TEXT PRIMARY KEY,
  ocaid TEXT NOT NULL,
  patron TEXT,                         -- NULL: the account was removed
  book TEXT NOT NULL,                  -- key of the edition that was asked for
  kind TEXT NOT NULL CHECK (kind IN ('browse', 'borrow')),
  loaned_at INTEGER NOT NULL,
  expiry INTEGER NOT NULL,
  returned_at INTEGER                  -- NULL: not yet
) STRICT, WITHOUT ROWID;
CREATE INDEX loan_by_item ON loan (ocaid, loaned_at) WHERE returned_at IS NULL;
CREATE INDEX loan_by_patron ON loan (patron, returned_at);

-- What a patron has had, one row an item, once it is returned.
CREATE TABLE loan_history (
  patron TEXT NOT NULL,
  ocaid TEXT NOT NULL,
  last_loan INTEGER NOT NULL,
  PRIMARY KEY (patron, ocaid)
) STRICT, WITHOUT ROWID;
CREATE INDEX loan_history_by_time ON loan_history (patron, last_loan DESC, ocaid);

-- Queues. A position is how many rows of the item have no higher number.
CREATE TABLE waiting_loan (
  ocaid TEXT NOT NULL,
  number INTEGER NOT NULL,             -- ascending in the order in which patrons came
  patron TEXT NOT NULL,
  book TEXT NOT NULL,
  since INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  expiry INTEGER,                      -- a copy is kept until then; NULL: still waiting
  PRIMARY KEY (ocaid, number),
  UNIQUE (patron, ocaid)
) STRICT, WITHOUT ROWID;

-- Loans and returns, in the order in which they were told (lookup.md 13.6).
CREATE TABLE lending_change (
  uid INTEGER PRIMARY KEY AUTOINCREMENT,
  time INTEGER NOT NULL,
  ocaid TEXT NOT NULL,
  patron TEXT,
  loan TEXT NOT NULL,
  event TEXT NOT NULL CHECK (event IN ('borrow', 'return')),
  until INTEGER,                       -- expiry of a loan
  UNIQUE (loan, event)
) STRICT;
CREATE INDEX lending_change_by_patron ON lending_change (patron);
-- Loans of a period are counted by it (src/db/lending/count-loans.ts).
CREATE INDEX lending_change_by_time ON lending_change (time, event);
