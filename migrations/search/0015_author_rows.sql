-- The row of an author's texts in `author_text`, which goes by the number of works (src/search/indexing/ids.ts). Null: the number of
-- the author, of authors that were written before. Searches find these too, but look at all that match; a rebuild gives each its row.
ALTER TABLE author_a ADD COLUMN text_row INTEGER;
ALTER TABLE author_b ADD COLUMN text_row INTEGER;
CREATE INDEX author_a_old_row ON author_a (id) WHERE text_row IS NULL;
CREATE INDEX author_b_old_row ON author_b (id) WHERE text_row IS NULL;
