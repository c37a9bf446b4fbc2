-- Places of terms of works, in order of term: finds the next term without counting the works that have it.
CREATE VIRTUAL TABLE work_place_a USING fts5vocab (work_text_a, 'instance');
CREATE VIRTUAL TABLE work_place_b USING fts5vocab (work_text_b, 'instance');
