-- How popular works are that have readers, several editions, or none at all. All others are equally popular (`USUAL` in
-- src/search/documents/popularity.ts), so that what is looked up for hundreds of works at a time is a tenth as much. It takes the
-- place of `work_…_popular`, which stays until no code that names it runs any more.
CREATE INDEX work_a_known ON work_a (id, boost, edition_count) WHERE boost < 12 OR boost >= 12.5;
CREATE INDEX work_b_known ON work_b (id, boost, edition_count) WHERE boost < 12 OR boost >= 12.5;
-- Random orders are computed of the column, for each seed: no statement uses this one.
DROP INDEX work_a_random;
DROP INDEX work_b_random;
