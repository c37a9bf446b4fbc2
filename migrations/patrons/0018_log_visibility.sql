-- Patrons whose followers have to learn whether they show their reading log: written before the preference, deleted some
-- minutes later.
CREATE TABLE log_visibility (
  publisher TEXT PRIMARY KEY,          -- username in lower case
  changed INTEGER NOT NULL             -- milliseconds since the epoch
) STRICT, WITHOUT ROWID;
