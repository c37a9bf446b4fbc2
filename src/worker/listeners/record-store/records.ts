import { type ChangeFilter, readChanges } from "../../../db/history/changes.ts";
import { readRights } from "../../../db/records/permissions.ts";
import { changeEntry } from "../../history/change-entry.ts";
import { botFilter, botCondition, checkedQuery, filterOf } from "../../history/change-filter.ts";
import { badData, recordNotFound } from "../../http/errors.ts";
import { WHOLE_NUMBER, recordsByKey, revisionOf, viewOf } from "../../../db/records/records.ts";
import { queryKeys, queryRecords } from "../../records/query.ts";
import { queryJson } from "../../http/request-body.ts";
import { keysOfParameter, queryVersions } from "../../records/read-api.ts";
import { versionEntry } from "../../records/history.ts";
import type { StoreCall } from "./call.ts";

/** Changes in one answer: default and maximum. */
const CHANGES_LIMIT = 1000;

/** `GET /<site>/versions`: with addresses, because only the service itself calls it. */
export async function versions({ database, argument }: StoreCall) {
  const rows = await queryVersions(database, queryJson(argument("query")), "service");
  return rows.map((row) => Object.assign(versionEntry(row), { ip: row.ip }));
}

/** `GET /<site>/_recentchanges` */
export async function recentChanges({ database, patrons, optional }: StoreCall) {
  const query = checkedQuery(queryJson(optional("query") ?? "{}"));
  const { limit = CHANGES_LIMIT, offset = 0 } = query;
  if (limit < 0 || offset < 0) throw badData("Bad query: limit and offset cannot be negative");
  const bots = await botFilter({ catalog: database, patrons }, botCondition(query.bot));
  const filter: ChangeFilter = { ...filterOf(query), ip: query.ip, bots };
  const rows = await readChanges(database, filter, { limit: Math.min(limit, CHANGES_LIMIT), offset });
  return rows.map((row) => changeEntry(row, "service"));
}

/** `GET /<site>/_recentchanges/<id>`: null for an unknown id. */
export async function changeById({ database, path: { id } }: StoreCall) {
  const [row] = await readChanges(database, { id: Number(id) }, { limit: 1, offset: 0 });
  return row === undefined ? null : changeEntry(row, "service");
}

/** `GET /<site>/get` */
export async function getRecord({ database, argument, optional }: StoreCall) {
  const key = argument("key");
  const revision = optional("revision");
  if (revision !== undefined && !WHOLE_NUMBER.test(revision)) {
    throw badData(`Bad integer value for 'revision': '${revision}'`);
  }
  const row = await revisionOf(database, key, revision);
  if (row === undefined) throw recordNotFound(key);
  return viewOf(row);
}

/** `GET /<site>/get_many` */
export function getRecords({ database, argument }: StoreCall) {
  return recordsByKey(database, keysOfParameter(argument("keys")));
}

/** `GET /<site>/things` */
export function things({ database, argument, optional }: StoreCall) {
  const query = queryJson(argument("query"));
  const wantsDetails = /^true$/i.test(optional("details") ?? "false");
  return wantsDetails ? queryRecords(database, query, { loose: false }) : queryKeys(database, query);
}

/** `GET /<site>/permission`: the caller's permission to write a key, under two names. */
export async function permission({ context, database, argument }: StoreCall) {
  const key = argument("key");
  const { key: user, status } = await context.actor();
  const mayWrite =
    user !== null && status === "active" && (await readRights(database, user, [key])).mayWrite(key);
  return { write: mayWrite, admin: mayWrite };
}
