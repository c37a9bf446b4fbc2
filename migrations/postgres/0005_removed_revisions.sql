CREATE TABLE removed_revision (
  key TEXT COLLATE "C" NOT NULL,
  revision BIGINT NOT NULL,
  last_modified TEXT COLLATE "C" NOT NULL,
  document TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (key, revision)
);
CREATE INDEX cover_by_author ON cover (author, id) WHERE author IS NOT NULL;
