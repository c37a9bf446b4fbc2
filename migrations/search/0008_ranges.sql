-- Parts of a rebuild that may be done side by side: numbers of keys from `position` to `last`, in the step `phase` of the rebuild that
-- began at `started`. Whoever works at one has it until `held`.
CREATE TABLE index_range (
  engine TEXT NOT NULL,
  phase TEXT NOT NULL,
  last INTEGER NOT NULL,
  position INTEGER NOT NULL,
  started TEXT NOT NULL,
  held TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (engine, phase, last)
) STRICT, WITHOUT ROWID;
-- A rebuild that is under way begins its steps anew, each as one part.
WITH step (phase) AS (VALUES ('works'), ('editions'), ('authors'))
INSERT INTO index_range (engine, phase, last, position, started)
SELECT 'embedded', step.phase, 1099511627775, 0, s.started FROM step, index_state s WHERE s.phase IS NOT NULL
UNION ALL
SELECT 'solr', step.phase, 1099511627775, 0, s.started FROM step, index_state_solr s WHERE s.phase IS NOT NULL;
