-- What works are shown by unless other fields are asked for (src/search/present/brief.ts): it comes with the texts that candidates
-- are compared by, so that a search takes one call. Null in rows from before: their document is read.
ALTER TABLE work_ranking_a ADD COLUMN brief TEXT;
ALTER TABLE work_ranking_b ADD COLUMN brief TEXT;
