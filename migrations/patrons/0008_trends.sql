-- Where work on what patrons do goes on: hours whose trends are counted, counts that are compared with their rows.
CREATE TABLE activity_state (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Works that readers were busy with lately: points of the last 24 hours, by hour of the day, and of the last 7 days, by day
-- of the week from Monday on. Rows with nothing but zeros are deleted.
CREATE TABLE work_trend (
  work_id INTEGER PRIMARY KEY,
  hourly TEXT NOT NULL CHECK (json_array_length(hourly) = 24),
  daily TEXT NOT NULL CHECK (json_array_length(daily) = 7)
) STRICT;
