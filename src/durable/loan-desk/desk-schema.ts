/**
 * Schema of a loan desk, as steps that are never changed once they have run anywhere: new ones are added at the end.
 * Times are milliseconds since the epoch, patrons are usernames in lower case.
 */
export const DESK_STEPS: readonly string[] = [
  `CREATE TABLE state (
     name TEXT PRIMARY KEY,
     value TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE loan (
     patron TEXT PRIMARY KEY,
     uuid TEXT NOT NULL,
     book TEXT NOT NULL,
     kind TEXT NOT NULL,
     loaned_at INTEGER NOT NULL,
     expiry INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX loan_by_expiry ON loan (expiry);
   CREATE TABLE place (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     patron TEXT NOT NULL UNIQUE,
     book TEXT NOT NULL,
     since INTEGER NOT NULL,
     updated INTEGER NOT NULL,
     expiry INTEGER,
     mail_due INTEGER
   ) STRICT;
   CREATE INDEX place_by_expiry ON place (expiry) WHERE expiry IS NOT NULL;
   CREATE INDEX place_waiting ON place (number) WHERE expiry IS NULL;
   CREATE INDEX place_by_mail ON place (mail_due) WHERE mail_due IS NOT NULL;
   CREATE TABLE news (
     kind TEXT NOT NULL,
     subject TEXT NOT NULL,
     sequence INTEGER NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (kind, subject)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX news_by_sequence ON news (sequence);
   CREATE TABLE refused (
     patron_hash TEXT PRIMARY KEY,
     until INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
  // Loans whose holders got the email about waiting patrons, or for whom it was requested. Not in `loan`: the previous
  // version writes its rows without naming columns, and must continue to work.
  `CREATE TABLE queue_mail (
     loan TEXT PRIMARY KEY,
     again INTEGER
   ) STRICT, WITHOUT ROWID`,
];
