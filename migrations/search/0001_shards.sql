-- Which part of the catalog this database indexes: records whose number modulo `shards` is `shard`.
CREATE TABLE shard (
  shard INTEGER NOT NULL,
  shards INTEGER NOT NULL CHECK (shards > shard)
) STRICT;
INSERT INTO shard (shard, shards) VALUES (0, 1);
