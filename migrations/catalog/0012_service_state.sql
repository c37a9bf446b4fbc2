-- What administrators have set for the whole service, such as ('read_only', 'on').
CREATE TABLE service_state (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  changed TEXT NOT NULL,               -- naive UTC, six fraction digits
  by TEXT                              -- '/people/<username>'; NULL = the operator
) STRICT, WITHOUT ROWID;
