-- Messages that a queue could not deliver, for the operator to send again or to drop. Times are milliseconds since the epoch.
CREATE TABLE dead_letter (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  queue TEXT NOT NULL,                 -- that it was sent to
  digest TEXT NOT NULL,                -- SHA-256 of its body, in hex: the same body is one row
  body TEXT NOT NULL,                  -- JSON; where it is not whole, a string: how it begins
  is_whole INTEGER NOT NULL,           -- 0: too long to be kept, so it cannot be sent again
  message TEXT NOT NULL,               -- id of the last message with this body; '': it was sent again, and has not come back
  times INTEGER NOT NULL DEFAULT 1,    -- messages with this body that were given up
  first INTEGER NOT NULL,              -- when the first of them was,
  last INTEGER NOT NULL,               -- and the last
  due INTEGER,                         -- when it is sent again by itself, or forgotten if it was; NULL: only the operator does that
  UNIQUE (queue, digest)
) STRICT;
CREATE INDEX dead_letter_by_queue ON dead_letter (queue, last);
CREATE INDEX dead_letter_by_last ON dead_letter (last);
CREATE INDEX dead_letter_by_due ON dead_letter (due) WHERE due IS NOT NULL;
