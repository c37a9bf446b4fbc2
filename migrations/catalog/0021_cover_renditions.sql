-- Whether a stored cover has its smaller sizes: null as long as they are still to be made, `none` when its image cannot be
-- unpacked, as may be with images that were stored before it was tried.
ALTER TABLE cover ADD COLUMN renditions TEXT CHECK (renditions IN ('made', 'none'));
CREATE INDEX cover_unrendered ON cover (id) WHERE state = 'stored' AND renditions IS NULL;
