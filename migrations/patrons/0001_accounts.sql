CREATE TABLE account (
  username TEXT NOT NULL,
  username_folded TEXT PRIMARY KEY,    -- lower case: names differ by more than case
  email_folded TEXT NOT NULL UNIQUE,   -- lower case
  email TEXT NOT NULL,
  password_hash TEXT NOT NULL,         -- 'scrypt$N$r$p$salt$hash', base64url
  status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'blocked')),
  bot INTEGER NOT NULL DEFAULT 0,
  created TEXT NOT NULL
) STRICT, WITHOUT ROWID;
