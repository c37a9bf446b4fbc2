import { type VersionRow, readVersions } from "../../../db/records/read-history.ts";
import { type RequestContext, catalogReader } from "../../context.ts";
import { NO_STORE, type Reply, jsonp, plain } from "../../reply.ts";
import type { RecordParameters } from "./read-record.ts";

/** Rows of a history: default and most (records.md 7.5). */
export const HISTORY_LIMIT = { default: 20, max: 1000 };

/** Highest offset into a history. */
export const HISTORY_OFFSET_MAX = 100_000;

/** `GET <key>.json?m=history`: the record's revisions, newest first. */
export async function readHistory(
  key: string,
  { limit, offset, author, callback, text }: RecordParameters,
  context: RequestContext,
): Promise<Reply> {
  const page = {
    limit: bounded(limit, HISTORY_LIMIT),
    offset: bounded(offset, { default: 0, max: HISTORY_OFFSET_MAX }),
  };
  const filter = author === undefined ? { key } : { key, author };
  // Q21: no rows where there is no record.
  const rows = await readVersions(catalogReader(context), filter, {
    ...page,
    descending: true,
  });
  const body = JSON.stringify(rows.map(versionEntry));
  const more = { cacheControl: NO_STORE };
  return text === "true" ? plain(body, more) : jsonp(body, callback, more);
}

/** A revision as history rows show it; `changes` and `data` are JSON in a string (Q2). */
export function versionEntry(row: VersionRow) {
  const { key, revision, id, kind, comment, bot, created, author, changes, data } = row;
  return {
    key,
    revision,
    id,
    action: kind,
    comment,
    bot: bot === 1,
    created,
    author,
    // Q18: nobody wants a whole batch of a dump here.
    changes: changes ?? "null",
    data,
  };
}

function bounded(
  text: string | undefined,
  { default: fallback, max }: { default: number; max: number },
): number {
  return text !== undefined && /^\d+$/.test(text) ? Math.min(Number(text), max) : fallback;
}
