-- When a key pair was used last: the day, naive UTC, so that a day's logins write once. NULL: not since this is noted.
ALTER TABLE api_key ADD COLUMN last_used TEXT;
