import { DAY_MS } from "../../../catalog/units.ts";
import { type ChangeFilter, type ChangeRow, readChanges } from "../../../db/history/changes.ts";
import { readRights } from "../../../db/records/permissions.ts";
import { changeEntry } from "../../history/change-entry.ts";
import { botFilter, botCondition, parseChangesQuery, filterOf } from "../../history/change-query.ts";
import { recordNotFound } from "../../http/errors.ts";
import {
  WHOLE_NUMBER,
  recordsByKey,
  revisionOf,
  viewOf,
  walkRevisions,
} from "../../../db/records/records.ts";
import { queryKeys, queryRecords } from "../../records/query.ts";
import { queryJson } from "../../http/request-body.ts";
import { keysOfParameter, queryVersions } from "../../records/read-api.ts";
import { versionEntry } from "../../records/history.ts";
import type { StoreCall } from "./call.ts";
import { normalizeDatetime } from "../../../catalog/datetime.ts";
import {
  type LargeChange,
  type LoggedChange,
  type SavedRevision,
  countChangesUpTo,
  readLog,
} from "../../../db/history/change-log.ts";
import { PAGE_BYTES } from "../../../db/records/record-rows.ts";
import { textStream } from "../../http/bytes.ts";
import { JSON_TYPE } from "../../http/reply.ts";
import { failure } from "../../http/failure.ts";

const CHANGES_LIMIT = 1000;

/** `GET /<site>/versions`: with addresses, because only the service itself calls it. */
export async function listVersions({ database, argument }: StoreCall) {
  const rows = await queryVersions(database, queryJson(argument("query")), "service");
  return rows.map((row) => Object.assign(versionEntry(row), { ip: row.ip }));
}

export async function listRecentChanges({ database, patrons, optional }: StoreCall) {
  const query = parseChangesQuery(queryJson(optional("query") ?? "{}"));
  const { limit = CHANGES_LIMIT, offset = 0 } = query;
  if (limit < 0 || offset < 0) throw failure("bad_data.query_page");
  const bots = await botFilter({ catalog: database, patrons }, botCondition(query.bot));
  const filter: ChangeFilter = { ...filterOf(query), ip: query.ip, bots };
  const rows = await readChanges(database, filter, { limit: Math.min(limit, CHANGES_LIMIT), offset });
  return rows.map((row) => changeEntry(row, "service"));
}

/** `GET /<site>/_recentchanges/<id>`: null for an unknown id. */
export async function getChange({ database, path: { id } }: StoreCall) {
  const [row] = await readChanges(database, { id: Number(id) }, { limit: 1, offset: 0 });
  return row === undefined ? null : changeEntry(row, "service");
}

export async function getRecord({ database, argument, optional }: StoreCall) {
  const key = argument("key");
  const revision = optional("revision");
  if (revision !== undefined && !WHOLE_NUMBER.test(revision)) {
    throw failure("bad_data.integer", { name: "revision", value: revision });
  }
  const row = await revisionOf(database, key, revision);
  if (row === undefined) throw recordNotFound(key);
  return viewOf(row);
}

export function getRecords({ database, argument }: StoreCall) {
  return recordsByKey(database, keysOfParameter(argument("keys")));
}

export function findThings({ database, argument, optional }: StoreCall) {
  const query = queryJson(argument("query"));
  const wantsDetails = /^true$/i.test(optional("details") ?? "false");
  return wantsDetails ? queryRecords(database, query, { loose: false }) : queryKeys(database, query);
}

/** `GET /<site>/permission`: the caller's permission to write a key, under two names. */
export async function readPermission({ context, database, argument }: StoreCall) {
  const key = argument("key");
  const { key: user, status } = await context.actor();
  const mayWrite =
    user !== null && status === "active" && (await readRights(database, user, [key])).mayWrite(key);
  return { write: mayWrite, admin: mayWrite };
}

/** Entries in one answer, documents in them, and bytes as written; one entry is always whole. */
const LOG_LIMIT = 1000;
const LOG_DOCUMENTS = 2000;
const LOG_BYTES = PAGE_BYTES;

/** `GET /<site>/log/<YYYY-MM-DD>:<offset>`: changes of that day, in order, and the next offset. */
export async function readChangeLog({ database, path, optional }: StoreCall) {
  const { site = "", day = "", offset: offsetText = "0" } = path;
  const time = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(time)) throw failure("bad_data.day", { day });
  const limit = Math.min(LOG_LIMIT, wholeNumber(optional("limit") ?? String(LOG_LIMIT), "limit"));
  const end = new Date(time + DAY_MS).toISOString().slice(0, 10);
  const after = afterTime(optional("timestamp"));
  const skipped = after === undefined ? 0 : await countChangesUpTo(database, { begin: day, end: after });
  const offset = Math.max(skipped, wholeNumber(offsetText, "offset"));
  const bounds = { documents: LOG_DOCUMENTS, bytes: LOG_BYTES };
  const part = await readLog(database, { begin: day, end, offset, limit }, bounds);
  if (!Array.isArray(part))
    return textStream(writeLargeEntry(database, part, { site, next: `${day}:${offset + 1}` }), JSON_TYPE);
  return { data: part.map((change) => entry(change, site)), offset: `${day}:${offset + part.length}` };
}

/** Members of a change in its entry, but for its documents. */
function changesetOf(change: ChangeRow, changes: readonly SavedRevision[]) {
  const { id, kind, comment, ip, created: timestamp } = change;
  const author = change.author === null ? null : { key: change.author };
  const data = JSON.parse(change.data) as unknown;
  return { id: String(id), kind, author, ip, comment, timestamp, bot: change.bot === 1, changes, data };
}

function entry(change: LoggedChange, site: string) {
  const { documents } = change;
  const result = documents.map(({ key, revision }) => ({ key, revision }));
  const docs = documents.map(({ document }): unknown => JSON.parse(document));
  const oldDocs = documents.map(({ before }): unknown => (before === null ? null : JSON.parse(before)));
  const changeset = { ...changesetOf(change, result), docs, old_docs: oldDocs };
  const { author, comment, ip, timestamp } = changeset;
  const [saved, ...others] = result;
  // Q177: a change of a single record is a `save`; a load is not, however small.
  if (saved !== undefined && others.length === 0 && change.changes !== null) {
    const { key } = saved;
    const data = { comment, key, query: docs[0], result: saved, changeset, ip, author };
    return { action: "save", site, timestamp, data };
  }
  const data = { comment, query: docs, result, changeset, ip, author };
  return { action: "save_many", site, timestamp, data };
}

/** Q727: writes the entry of a change that is too large to be made at once. A single document never is. */
async function* writeLargeEntry(
  database: StoreCall["database"],
  change: LargeChange,
  { site, next }: { site: string; next: string },
): AsyncGenerator<string> {
  const changeset = changesetOf(change, change.saved);
  const { author, comment, ip, timestamp } = changeset;
  const { stringify: text } = JSON;
  const documents = (earlier: number) => {
    const revisions = change.saved.map(({ key, revision }) => [key, revision - earlier] as const);
    return writeList(walkRevisions(database, revisions));
  };
  yield `{"data":[{"action":"save_many","site":${text(site)},"timestamp":${text(timestamp)},`;
  yield `"data":{"comment":${text(comment)},"query":`;
  yield* documents(0);
  yield `,"result":${text(change.saved)},"changeset":${text(changeset).slice(0, -1)},"docs":`;
  yield* documents(0);
  yield `,"old_docs":`;
  yield* documents(1);
  yield `},"ip":${text(ip)},"author":${text(author)}}}],"offset":${text(next)}}`;
}

async function* writeList(parts: AsyncIterable<readonly (string | null)[]>): AsyncGenerator<string> {
  let separator = "[";
  for await (const part of parts) {
    yield separator + part.map((document) => document ?? "null").join(",");
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}

function wholeNumber(text: string, name: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw failure("bad_data.integer", { name, value: text });
}

function afterTime(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const time = normalizeDatetime(text);
  if (time === undefined) throw failure("bad_data.time", { time: text });
  return time;
}
