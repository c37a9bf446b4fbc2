-- `account` once more, with what identity providers, logins and administrators need.
CREATE TABLE account_rebuilt (
  username TEXT NOT NULL,
  username_folded TEXT PRIMARY KEY,    -- lower case: names differ by more than case
  email_folded TEXT NOT NULL UNIQUE,   -- lower case
  email TEXT NOT NULL,
  password_hash TEXT,                  -- 'scrypt$N$r$p$salt$hash', base64url; NULL: no login by password
  subject TEXT UNIQUE,                 -- who the patron is at the identity provider; NULL: not linked
  displayname TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'blocked')),
  bot INTEGER NOT NULL DEFAULT 0,
  tags TEXT NOT NULL DEFAULT '[]' CHECK (json_type(tags) = 'array'),
  special_access INTEGER NOT NULL DEFAULT 0, -- the provider grants access for the print-disabled
  has_records INTEGER NOT NULL DEFAULT 0,    -- /people/<username> and its two companions are made
  created TEXT NOT NULL,
  last_login TEXT,
  sessions_valid_after TEXT            -- sessions opened before are void
) STRICT, WITHOUT ROWID;
INSERT INTO account_rebuilt
  (username, username_folded, email_folded, email, password_hash, displayname, status, bot, has_records, created)
  SELECT username, username_folded, email_folded, email, password_hash, username, status, bot, 1, created FROM account;
DROP TABLE account;
ALTER TABLE account_rebuilt RENAME TO account;

-- Links in mails. No foreign key: rebuilding `account` would delete these rows.
CREATE TABLE account_link (
  username_folded TEXT NOT NULL,
  purpose TEXT NOT NULL CHECK (purpose IN ('verify', 'password', 'email')),
  code_hash TEXT NOT NULL UNIQUE,      -- SHA-256 of the code, hex: the table alone opens nothing
  email TEXT NOT NULL,                 -- where the link was sent; for 'email' the new address
  expires TEXT NOT NULL,
  PRIMARY KEY (username_folded, purpose) -- a new link replaces the older one
) STRICT, WITHOUT ROWID;
CREATE INDEX account_link_by_expiry ON account_link (expires);

-- One key pair an account, for programs.
CREATE TABLE api_key (
  username_folded TEXT PRIMARY KEY,
  access TEXT NOT NULL UNIQUE,
  secret_hash TEXT NOT NULL,           -- SHA-256 of the secret, hex
  created TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Mails of a development service, which sends none.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  created TEXT NOT NULL
) STRICT;
