-- What a saved work continues the sums of an author from, so that it need not read all of the author's works: JSON, see
-- src/search/indexing/author-tally.ts. Null: not known, so that the sums are computed from all works with the next one.
ALTER TABLE author_a ADD COLUMN tally TEXT;
ALTER TABLE author_b ADD COLUMN tally TEXT;
-- Number of the last batch that changed sums. One that was planned before it is planned again.
ALTER TABLE index_state ADD COLUMN batch INTEGER NOT NULL DEFAULT 0;
