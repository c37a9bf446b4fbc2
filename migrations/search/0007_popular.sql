-- How popular works are, close together: searches look it up for hundreds of works at a time.
CREATE INDEX work_a_popular ON work_a (id, boost, edition_count);
CREATE INDEX work_b_popular ON work_b (id, boost, edition_count);
