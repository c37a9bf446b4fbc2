-- Language of emails to the account. NULL: none was chosen.
ALTER TABLE account ADD COLUMN language TEXT;
