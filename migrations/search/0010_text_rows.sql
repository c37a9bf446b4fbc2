-- The row of a work's texts in `work_text`, which goes by popularity (src/search/indexing/ids.ts). Null: the number of the work, of
-- works that were written before. Searches find these too, but look at all that match; a rebuild gives each its row.
ALTER TABLE work_a ADD COLUMN text_row INTEGER;
ALTER TABLE work_b ADD COLUMN text_row INTEGER;
CREATE INDEX work_a_old_row ON work_a (id) WHERE text_row IS NULL;
CREATE INDEX work_b_old_row ON work_b (id) WHERE text_row IS NULL;
-- No code that runs names them any more.
DROP INDEX work_a_popular;
DROP INDEX work_b_popular;
