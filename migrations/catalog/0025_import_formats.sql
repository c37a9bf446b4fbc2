-- Which formats there are is said by the code alone, which checks what it is given: a new one needs no migration.
ALTER TABLE import_batch ADD COLUMN format_name TEXT;
UPDATE import_batch SET format_name = format;
ALTER TABLE import_batch DROP COLUMN format;
ALTER TABLE import_batch RENAME COLUMN format_name TO format;
