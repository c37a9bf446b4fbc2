import { countTouched } from "../../db/indexing/log.ts";
import { countRecords } from "../../db/indexing/pages.ts";
import { readProgress } from "../../db/indexing/cursor.ts";
import { countDueJobs } from "../../db/indexing/jobs.ts";
import { type Indexing, targetOf, timeFromNow } from "./indexing.ts";

/** Records that an index is behind by, at most, and is still brought up to date by the log and not by a rebuild. */
const FOLLOW_RECORDS_MAX = 100_000;
/** Records behind, and their share of the catalog, from which on a rebuild is the shorter way. */
const REBUILD_RECORDS = 1000;
const REBUILD_SHARE = 0.5;

/**
 * How far the index is: the change up to which it has followed the log, the newest one, records with changes that are
 * yet to be followed, jobs that may begin, and whether a rebuild would be shorter.
 */
export async function indexProgress(indexing: Indexing) {
  const { catalog, search } = indexing;
  const { projection } = await targetOf(indexing);
  const { cursor, end } = await readProgress(catalog, projection);
  const records = cursor >= end ? 0 : await countTouched(catalog, cursor);
  const jobs = await countDueJobs(search, timeFromNow(indexing));
  return { change: cursor, end, records, jobs, rebuild: await isRebuildShorter(indexing, records) };
}

/** Whether a rebuild takes less than to follow changes of so many records. */
export async function isRebuildShorter({ catalog }: Indexing, records: number): Promise<boolean> {
  if (records > FOLLOW_RECORDS_MAX) return true;
  if (records < REBUILD_RECORDS) return false;
  const { works, editions, authors, lists } = await countRecords(catalog);
  return records > REBUILD_SHARE * (works + editions + authors + lists);
}
