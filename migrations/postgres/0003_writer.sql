-- Whoever changes anything holds this row until he has committed: one writer at a time, as in D1.
CREATE TABLE carrel.writer (id BIGINT PRIMARY KEY CHECK (id = 1));
INSERT INTO carrel.writer VALUES (1);
