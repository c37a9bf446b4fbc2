import { latestRecordOf } from "../../../catalog/document.ts";
import { type CatalogRecord, type Json, isObject } from "../../../catalog/record.ts";
import { takeControlMembers } from "../../../catalog/editing/write-request.ts";
import { readRecords } from "../../../db/records/records.ts";
import { putJobs } from "../../../db/indexing/jobs.ts";
import { keyOfWorkId } from "../../../search/indexing/ids.ts";
import { announceChange } from "../../http/queue.ts";
import { findAffected } from "../../indexing/affected.ts";
import { indexingOf, indexingsOf, indexTarget, timeFromNow } from "../../indexing/indexing.ts";
import { queryJson, requestJson } from "../../http/request-body.ts";
import { keysOfParameter } from "../../records/read-api.ts";
import { DOCUMENT_BODY_BYTES, changeNotes } from "../../editing/put-record.ts";
import { SAVE_MANY_BODY_BYTES, parseDocuments, writeQuery } from "../../editing/write-api.ts";
import { saveChange } from "../../editing/save-change.ts";
import { type StoreCall, decodeKey } from "./call.ts";
import { failure } from "../../http/failure.ts";

export async function saveOne({ context, path }: StoreCall) {
  const key = decodeKey(`/${path["key"]}`);
  const body = await requestJson(context, DOCUMENT_BODY_BYTES);
  if (!isObject(body)) throw failure("bad_data.json_object");
  const { document, ...control } = takeControlMembers(body);
  const notes = changeNotes(control, "update");
  const change = { documents: [{ ...document, key }], ...notes, mayNumber: true };
  const { saved } = await saveChange(context, change);
  return saved[0] ?? {};
}

/** `POST /<site>/save_many`: saves records as one change, all of them or none. */
export async function saveSeveral(call: StoreCall) {
  const documents = parseDocuments(jsonArgument(call.argument("query")));
  const notes = notesOf(call, "bulk_update");
  const { saved } = await saveChange(call.context, { documents, ...notes, mayNumber: true });
  return saved;
}

/** `POST /<site>/write`: changes single properties of records. */
export async function writeProperties(call: StoreCall) {
  const query = jsonArgument(call.argument("query"));
  const notes = notesOf(call, "update");
  return writeQuery(call.context, query, { ...notes, mayNumber: true });
}

/** Reads the notes on a change from the form. Q171: kinds reserved for Carrel itself are refused. */
function notesOf({ optional }: StoreCall, usualKind: string) {
  const [comment, action = "", data] = [optional("comment"), optional("action"), optional("data")];
  return changeNotes(
    {
      ...(comment === undefined ? {} : { comment }),
      ...(action === "" ? {} : { action }),
      ...(data === undefined || data === "" ? {} : { data: dataOf(data) }),
    },
    usualKind,
  );
}

function dataOf(text: string): CatalogRecord {
  const data = jsonArgument(text);
  // Clients of the record store may send null.
  if (data === null) return {};
  if (!isObject(data)) throw failure("bad_data.data");
  return data;
}

function jsonArgument(text: string): Json {
  return queryJson(text, SAVE_MANY_BODY_BYTES);
}

/** `POST /<site>/reindex`: schedules a rebuild of documents that show the records; skips unknown keys (Q179). */
export async function reindexKeys({ context, database, argument }: StoreCall) {
  const { stores, settings, sources } = context;
  const keys = keysOfParameter(argument("keys"));
  const indexing = indexingOf(stores, settings, sources);
  const records = await readRecords(database, keys);
  const touched = records.map((row) => ({
    id: row.id,
    key: row.key,
    latest: latestRecordOf(row),
    before: [],
  }));
  const { index } = await indexTarget(indexing);
  const { works, authors, lists } = await findAffected(indexing, touched, index);
  const documents = [...[...works].map((id) => keyOfWorkId(id, indexing.prefix)), ...authors, ...lists];
  const job = { kind: "document", position: 0, due: timeFromNow(indexing), change: 0 };
  const jobs = documents.map((key) => Object.assign({ key }, job));
  for (const { search } of indexingsOf(stores, settings, sources)) await putJobs(search, jobs);
  // The message only wakes the consumer.
  context.waitUntil(announceChange(stores.indexQueue, 0));
  return { status: "ok" };
}
