-- Patrons whose objects have changed since a backup read them.
CREATE TABLE unsaved_patron (
  patron TEXT PRIMARY KEY,             -- username in lower case
  version INTEGER NOT NULL             -- of the first change after a backup: ascending, at least its time in milliseconds
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX unsaved_patron_by_version ON unsaved_patron (version);
-- Removed accounts: a backup from before must not bring them back.
CREATE TABLE removed_account (
  username_hash TEXT PRIMARY KEY,      -- SHA-256 of the username in lower case, hex
  removed INTEGER NOT NULL             -- milliseconds since the epoch
) STRICT, WITHOUT ROWID;
