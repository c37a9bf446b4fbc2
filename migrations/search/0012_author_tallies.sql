-- JSON of an `AuthorTally` (src/search/indexing/author-tally.ts): a saved work changes the sums of its authors without reading their
-- other works. Null for authors written before: the next work computes their sums from all works.
ALTER TABLE author_a ADD COLUMN tally TEXT;
ALTER TABLE author_b ADD COLUMN tally TEXT;
-- Number of the last batch that changed sums. A batch planned from an older state fails and is planned again.
ALTER TABLE index_state ADD COLUMN batch INTEGER NOT NULL DEFAULT 0;
