-- Usernames differ by more than case.
CREATE INDEX record_user_folded ON record (lower(key)) WHERE type = '/type/user';
