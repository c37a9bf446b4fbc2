import * as z from "zod";
import { coverLine } from "../../catalog/dumps/record-line.ts";
import { readDumpedCovers } from "../../db/dumps/read-covers.ts";
import { CHUNK_LINES, Chunk } from "./chunk.ts";
import { type DumpWork, type StageStep, workObject } from "./dump-work.ts";

const positionSchema = z.object({ after: z.int().default(0) });

/** Packs a part of the metadata of covers. */
export async function readCoverData(work: DumpWork, position: unknown): Promise<StageStep> {
  const { stores, dump } = work;
  const { after } = positionSchema.parse(position);
  const found = await readDumpedCovers(stores.catalog, { after, until: dump.begun, limit: CHUNK_LINES });
  const last = found.at(-1);
  if (last === undefined) return { position: null };
  const chunk = new Chunk();
  for (const { id, width, height, date } of found) {
    if (width !== null) chunk.add("covers_metadata", coverLine({ id, width, height, date }));
  }
  return { position: { after: last.id }, members: await chunk.store(stores.archive, workObject(work)) };
}
