-- How many patrons were here lately is counted without looking at all accounts.
CREATE INDEX account_by_last_login ON account (last_login) WHERE last_login IS NOT NULL;
