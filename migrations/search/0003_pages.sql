-- Full texts of scanned books, for the search inside them. They belong to no generation of the index: they come
-- from the texts in R2, not from records.
CREATE TABLE book (
  no INTEGER PRIMARY KEY,
  -- Id of the scan item.
  identifier TEXT NOT NULL UNIQUE,
  -- JSON: what a hit says of the book.
  metadata TEXT NOT NULL,
  -- JSON: names of aggregations, and the book's values in each.
  facets TEXT NOT NULL,
  -- JSON: folded names of its languages.
  languages TEXT NOT NULL,
  pages INTEGER NOT NULL CHECK (pages BETWEEN 1 AND 10000),
  -- R2 object with the text, and JSON of where which pages lie in it.
  object TEXT NOT NULL,
  blocks TEXT NOT NULL
) STRICT;

-- One row a page: number of the book times 10,000 plus the page's place in it, from 0.
CREATE VIRTUAL TABLE page_text USING fts5 (
  text,
  content = '', contentless_delete = 1, detail = full, tokenize = "ascii tokenchars '=_.+#'"
);
