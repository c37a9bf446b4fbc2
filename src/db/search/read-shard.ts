import { type Database, firstRow } from "../statement.ts";

/** Which part of the catalog a search database holds: records whose number modulo `shards` is `shard`. */
export interface Shard {
  readonly shard: number;
  readonly shards: number;
}

/** The part of the catalog that a search database holds. */
export async function readShard(search: Database): Promise<Shard> {
  const row = await firstRow<Shard>(search, { sql: "SELECT shard, shards FROM shard", values: [] });
  if (row === undefined) throw new Error("the search database has no shard");
  return row;
}
