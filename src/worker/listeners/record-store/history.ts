import { type ChangeFilter, readChanges } from "../../../db/changes/read-changes.ts";
import { changeEntry } from "../../history/change-entry.ts";
import { botFilter, botWanted, checkedQuery, filterOf } from "../../history/change-filter.ts";
import { badData } from "../../errors.ts";
import { queryJson } from "../../records-query.ts";
import { versionEntry } from "../../routes/records/history.ts";
import { queryVersions } from "../../versions-query.ts";
import type { StoreCall } from "./call.ts";

/** Changes in one answer: default and most (records.md 8.3). */
export const CHANGES_LIMIT = 1000;

/** `GET /<site>/versions`: with addresses, as only the service itself asks here. */
export async function versions({ database, argument }: StoreCall) {
  const rows = await queryVersions(database, queryJson(argument("query")), "service");
  return rows.map((row) => Object.assign(versionEntry(row), { ip: row.ip }));
}

/** `GET /<site>/_recentchanges` */
export async function recentChanges({ database, patrons, optional }: StoreCall) {
  const query = checkedQuery(queryJson(optional("query") ?? "{}"));
  const { limit = CHANGES_LIMIT, offset = 0 } = query;
  if (limit < 0 || offset < 0) throw badData("Bad query: limit and offset cannot be negative");
  const bots = await botFilter({ catalog: database, patrons }, botWanted(query.bot));
  const filter: ChangeFilter = { ...filterOf(query), ip: query.ip, bots };
  const rows = await readChanges(database, filter, { limit: Math.min(limit, CHANGES_LIMIT), offset });
  return rows.map((row) => changeEntry(row, "service"));
}

/** `GET /<site>/_recentchanges/<id>`: null for an id that there is none of. */
export async function changeById({ database, parts: [id] }: StoreCall) {
  const [row] = await readChanges(database, { id: Number(id) }, { limit: 1, offset: 0 });
  return row === undefined ? null : changeEntry(row, "service");
}
