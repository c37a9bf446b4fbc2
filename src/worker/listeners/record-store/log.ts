import { normalizedDatetime } from "../../../catalog/datetime.ts";
import { type LoggedChange, countChangesUpTo, readLog } from "../../../db/history/change-log.ts";
import { badData } from "../../http/errors.ts";
import type { StoreCall } from "./call.ts";

/** Entries in one answer, documents in them and bytes of those; one entry is always whole. */
const LOG_LIMIT = 1000;
const LOG_DOCUMENTS = 2000;
const LOG_BYTES = 4 * 1024 * 1024;
const DAY_MS = 86_400_000;

/** `GET /<site>/log/<YYYY-MM-DD>:<offset>`: changes of that day, in order, and the next offset. */
export async function log({ database, path, optional }: StoreCall) {
  const { site = "", day = "", offset: offsetText = "0" } = path;
  const time = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(time)) throw badData(`not a day: '${day}'`);
  const limit = Math.min(LOG_LIMIT, wholeNumber(optional("limit") ?? String(LOG_LIMIT)));
  const end = new Date(time + DAY_MS).toISOString().slice(0, 10);
  const after = afterTime(optional("timestamp"));
  const skipped = after === undefined ? 0 : await countChangesUpTo(database, { begin: day, end: after });
  const offset = Math.max(skipped, wholeNumber(offsetText));
  const bounds = { documents: LOG_DOCUMENTS, bytes: LOG_BYTES };
  const changes = await readLog(database, { begin: day, end, offset, limit }, bounds);
  return { data: changes.map((change) => entry(change, site)), offset: `${day}:${offset + changes.length}` };
}

function entry(change: LoggedChange, site: string) {
  const { id, kind, comment, ip, created: timestamp, documents } = change;
  const author = change.author === null ? null : { key: change.author };
  const result = documents.map(({ key, revision }) => ({ key, revision }));
  const docs = documents.map(({ document }): unknown => JSON.parse(document));
  const changeset = {
    id: String(id),
    kind,
    author,
    ip,
    comment,
    timestamp,
    bot: change.bot === 1,
    changes: result,
    data: JSON.parse(change.data) as unknown,
    docs,
    old_docs: documents.map(({ before }): unknown => (before === null ? null : JSON.parse(before))),
  };
  const [saved, ...others] = result;
  // Q177: a change of a single record is a `save`; a load is not, however small.
  if (saved !== undefined && others.length === 0 && change.changes !== null) {
    const { key } = saved;
    const one = { comment, key, query: docs[0], result: saved, changeset, ip, author };
    return { action: "save", site, timestamp, data: one };
  }
  const all = { comment, query: docs, result, changeset, ip, author };
  return { action: "save_many", site, timestamp, data: all };
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw badData(`Bad integer value: '${text}'`);
}

function afterTime(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const time = normalizedDatetime(text);
  if (time === undefined) throw badData(`not a time: '${text}'`);
  return time;
}
