-- Apps that may ask accounts for access (OAuth). Times are milliseconds since the epoch; `used`: the day of the last
-- exchange, so that unused registrations can be deleted.
CREATE TABLE oauth_client (
  id TEXT PRIMARY KEY,
  -- Hash of the secret; NULL: a public client, which has none.
  secret_hash TEXT,
  name TEXT NOT NULL,
  -- Web page of the app, or empty.
  uri TEXT NOT NULL,
  -- JSON array of redirect addresses.
  redirects TEXT NOT NULL,
  created INTEGER NOT NULL,
  used INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_client_unused ON oauth_client (created) WHERE used IS NULL;
