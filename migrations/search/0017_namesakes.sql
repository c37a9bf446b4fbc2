-- Authors of one name, those with most works first.
CREATE INDEX author_a_namesakes ON author_a (name_sort, work_count DESC);
CREATE INDEX author_b_namesakes ON author_b (name_sort, work_count DESC);
DROP INDEX author_a_name_sort;
DROP INDEX author_b_name_sort;
