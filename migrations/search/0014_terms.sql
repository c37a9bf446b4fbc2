-- Terms of the other full-text tables, with the number of rows and places that have them, as `work_term`: a search that would read
-- too many places is refused before it is made (src/db/search/check-costs.ts).
CREATE VIRTUAL TABLE edition_term_a USING fts5vocab (edition_text_a, 'row');
CREATE VIRTUAL TABLE author_term_a USING fts5vocab (author_text_a, 'row');
CREATE VIRTUAL TABLE subject_term_a USING fts5vocab (subject_text_a, 'row');
CREATE VIRTUAL TABLE list_term_a USING fts5vocab (list_text_a, 'row');
CREATE VIRTUAL TABLE edition_term_b USING fts5vocab (edition_text_b, 'row');
CREATE VIRTUAL TABLE author_term_b USING fts5vocab (author_text_b, 'row');
CREATE VIRTUAL TABLE subject_term_b USING fts5vocab (subject_text_b, 'row');
CREATE VIRTUAL TABLE list_term_b USING fts5vocab (list_text_b, 'row');
