-- Superseded revisions of the records of removed accounts, as they were before the removal; for administrators only.
-- Identified by key: restoring the log may assign other record ids.
CREATE TABLE removed_revision (
  key TEXT NOT NULL,
  revision INTEGER NOT NULL,
  last_modified TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (key, revision)
) STRICT, WITHOUT ROWID;
-- Finds the covers that a removed account uploaded.
CREATE INDEX cover_by_author ON cover (author) WHERE author IS NOT NULL;
