-- Time of the last successful call of a rebuild. In the future while a command of the operator drives it: the service continues a rebuild
-- that no command drives.
ALTER TABLE index_state ADD COLUMN held TEXT NOT NULL DEFAULT '';
ALTER TABLE index_state_solr ADD COLUMN held TEXT NOT NULL DEFAULT '';
UPDATE index_state SET held = started WHERE phase IS NOT NULL;
UPDATE index_state_solr SET held = started WHERE phase IS NOT NULL;
