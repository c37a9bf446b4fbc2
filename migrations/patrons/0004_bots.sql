-- Bots are few, and filters of the recent changes ask for all of them.
CREATE INDEX account_bots ON account (username) WHERE bot = 1;
