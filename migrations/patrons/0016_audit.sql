-- What somebody may have to look into later: logins, refused access, what became of accounts, roles and settings. No secrets,
-- no e-mail addresses, no full network addresses.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,               -- milliseconds since the epoch
  event TEXT NOT NULL,
  actor TEXT COLLATE NOCASE,           -- '/people/<username>', or 'operator'; NULL: nobody who was logged in
  subject TEXT COLLATE NOCASE,         -- whom or what it is about: the key of a record, or the name of a setting
  network TEXT NOT NULL,               -- /24 or /48 that it came from, or 'local'
  request TEXT NOT NULL,               -- X-Request-Id
  details TEXT NOT NULL                -- JSON object
) STRICT;
CREATE INDEX audit_by_time ON audit (time);
CREATE INDEX audit_by_event ON audit (event, time);
CREATE INDEX audit_by_actor ON audit (actor, time) WHERE actor IS NOT NULL;
CREATE INDEX audit_by_subject ON audit (subject, time) WHERE subject IS NOT NULL;
CREATE INDEX audit_by_network ON audit (event, network, time);
