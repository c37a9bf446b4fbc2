import * as z from "zod";
import { isDumpedKey } from "../../catalog/dumps/dumped-keys.ts";
import { recordLine } from "../../catalog/dumps/record-line.ts";
import { readChanged } from "../../db/dumps/read-changed.ts";
import { takeTurns } from "../imports/take-turns.ts";
import { Chunk } from "./chunk.ts";
import { type DumpWork, type StageStep, workObject } from "./dump-work.ts";
import { EMPTY_READS, bounds } from "./read-records.ts";

/** After which revision of the log reading goes on. */
const positionSchema = z.object({ change: z.int(), id: z.int(), revision: z.int() });

/** Packs a chunk of the revisions that the changes of a day made, in the order of the log. */
export async function readChanges(work: DumpWork, position: unknown): Promise<StageStep> {
  const { stores, settings, dump } = work;
  const before = { change: dump.after_change + 1, id: 0, revision: 0 };
  const start = positionSchema.safeParse(position).data ?? before;
  const chunk = new Chunk();
  let last = start;
  for (let reads = 1; !chunk.isFull; reads += 1) {
    const found = await readChanged(stores.catalog, { ...last, upTo: dump.change_id }, bounds(chunk));
    if (found.length === 0) break;
    for (const row of found) {
      last = { change: row.change, id: row.id, revision: row.revision };
      if (!isDumpedKey(row.key, settings.RECORD_PREFIX)) continue;
      chunk.add("changes", recordLine(row).line);
      if (chunk.isFull) break;
    }
    if (chunk.isEmpty && reads >= EMPTY_READS) return { position: last };
    await takeTurns();
  }
  if (last === start) return { position: null };
  return { position: last, members: await chunk.store(stores.archive, workObject(work)) };
}
