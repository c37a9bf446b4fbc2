-- The same as `index_state` and `index_job` of 0002_index.sql, of the index in Solr: each engine follows the log by itself.
CREATE TABLE index_state_solr (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  live TEXT NOT NULL CHECK (live IN ('a', 'b')),
  phase TEXT,
  position INTEGER NOT NULL DEFAULT 0,
  done INTEGER NOT NULL DEFAULT 0,
  total INTEGER NOT NULL DEFAULT 0,
  started TEXT,
  term TEXT
) STRICT;
INSERT INTO index_state_solr (id, live) VALUES (1, 'a');

CREATE TABLE index_job_solr (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  position INTEGER NOT NULL DEFAULT 0,
  due TEXT NOT NULL,
  change_id INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX index_job_solr_by_due ON index_job_solr (due);
