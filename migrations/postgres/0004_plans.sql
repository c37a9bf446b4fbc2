-- Statements are written for the only join that SQLite has: along an index, a row at a time. Lists in parameters are taken to be
-- a hundred times longer than they are, so that in catalogs of some ten thousand records reading a whole table seems better.
DO $$
BEGIN
  EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET enable_mergejoin = off', current_database());
  EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET enable_hashjoin = off', current_database());
END $$;
