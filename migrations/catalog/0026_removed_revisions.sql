-- What the superseded revisions below /people/<username> said before the account was removed; for administrators only.
-- By key and not by number, which another load of the log gives out anew.
CREATE TABLE removed_revision (
  key TEXT NOT NULL,
  revision INTEGER NOT NULL,
  last_modified TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (key, revision)
) STRICT, WITHOUT ROWID;
-- Covers that somebody sent, who has left.
CREATE INDEX cover_by_author ON cover (author) WHERE author IS NOT NULL;
