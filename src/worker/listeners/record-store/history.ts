import * as z from "zod";
import { type ChangeRow, readChanges } from "../../../db/changes/read-changes.ts";
import { badData } from "../../errors.ts";
import { queryJson } from "../../records-query.ts";
import { versionEntry } from "../../routes/records/history.ts";
import { queryVersions } from "../../versions-query.ts";
import type { StoreCall } from "../record-store.ts";

/** Changes in one answer: default and most (records.md 8.3). */
export const CHANGES_LIMIT = 1000;

/** `GET /<site>/versions`: with addresses, as only the service itself asks here. */
export async function versions({ database, argument }: StoreCall) {
  const rows = await queryVersions(database, queryJson(argument("query")), "service");
  return rows.map((row) => Object.assign(versionEntry(row), { ip: row.ip }));
}

const changesQuery = z.object({
  limit: z.int().min(0).default(CHANGES_LIMIT),
  offset: z.int().min(0).default(0),
  key: z.string().optional(),
  author: z.string().optional(),
  ip: z.string().optional(),
  kind: z.string().optional(),
  bot: z.boolean().optional(),
  begin_date: z.string().optional(),
  end_date: z.string().optional(),
});

/** `GET /<site>/_recentchanges` */
export async function recentChanges({ database, optional }: StoreCall) {
  const parsed = changesQuery.safeParse(queryJson(optional("query") ?? "{}"));
  if (!parsed.success) throw badData(`Bad query: ${z.prettifyError(parsed.error)}`);
  const { limit, offset, begin_date: begin, end_date: end, ...filter } = parsed.data;
  const rows = await readChanges(
    database,
    { ...filter, begin, end },
    {
      limit: Math.min(limit, CHANGES_LIMIT),
      offset,
    },
  );
  return rows.map(changeEntry);
}

/** `GET /<site>/_recentchanges/<id>`: null for an id that there is none of. */
export async function changeById({ database, parts: [id] }: StoreCall) {
  const [row] = await readChanges(database, { id: Number(id) }, { limit: 1, offset: 0 });
  return row === undefined ? null : changeEntry(row);
}

/** A change as records.md 7.1 has it; its address is shown for changes without an author only. */
function changeEntry({ id, kind, created, comment, changes, author, ip, data }: ChangeRow) {
  return {
    id: String(id),
    kind,
    timestamp: created,
    comment,
    changes: changes === null ? null : JSON.parse(changes),
    author: author === null ? null : { key: author },
    ip: author === null ? ip : null,
    data: JSON.parse(data),
  };
}
