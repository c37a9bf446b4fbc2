-- What a service gave at the registration besides the known fields (records.md 8.4).
ALTER TABLE account ADD COLUMN data TEXT NOT NULL DEFAULT '{}' CHECK (json_type(data) = 'object');
