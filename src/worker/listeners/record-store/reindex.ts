import { latestRecord } from "../../../catalog/document.ts";
import { readIndexState } from "../../../db/search/generation.ts";
import { putJobs } from "../../../db/search/jobs.ts";
import { readRecords } from "../../../db/records/read-record.ts";
import { keyOfWorkId } from "../../../search/index/ids.ts";
import { findAffected } from "../../indexing/affected.ts";
import { indexingOf, targetOf, timeFromNow } from "../../indexing/indexing.ts";
import { announceChange } from "../../queue/announce.ts";
import { wantedKeys } from "../../routes/api/get-many.ts";
import type { StoreCall } from "./call.ts";

/** `POST /<site>/reindex`: what records show in the index is built anew, soon; unknown keys are passed over (Q179). */
export async function reindexKeys({ context, database, argument }: StoreCall) {
  const { stores, settings, sources } = context;
  const keys = wantedKeys(argument("keys"));
  const indexing = indexingOf(stores, settings, sources);
  const records = await readRecords(database, keys);
  const touched = records.map((row) => ({ id: row.id, key: row.key, latest: latestRecord(row), before: [] }));
  const { generations } = targetOf(await readIndexState(stores.search));
  const { works, authors, lists } = await findAffected(indexing, touched, generations);
  const documents = [...[...works].map((id) => keyOfWorkId(id, indexing.prefix)), ...authors, ...lists];
  const job = { kind: "document", position: 0, due: timeFromNow(indexing), change: 0 };
  await putJobs(
    stores.search,
    documents.map((key) => Object.assign({ key }, job)),
  );
  // The message says only that there is something to do.
  context.waitUntil(announceChange(stores.indexQueue, 0));
  return { status: "ok" };
}
