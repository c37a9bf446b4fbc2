import * as z from "zod";
import { isObject } from "../../catalog/record.ts";
import type { ChangeRow, ShortChange } from "../../db/history/changes.ts";

export const revisionSchema = z.object({ key: z.string(), revision: z.int() }).meta({ id: "Saved" });

/** Converts a change for clients. Only the service sees the IP address of a change without an author. */
export function changeEntry(row: ChangeRow, audience: "service" | "client" = "client") {
  const { id, kind, created, comment, changes, author, ip, data } = row;
  const stored: unknown = JSON.parse(data);
  return {
    id: String(id),
    kind,
    timestamp: created,
    comment,
    // Q125: a batch of a dump does not list its records. Stored changes were written by this service.
    changes: changes === null ? null : (JSON.parse(changes) as z.infer<typeof revisionSchema>[]),
    author: author === null ? null : { key: author },
    ip: audience === "service" && author === null ? ip : null,
    data: isObject(stored) ? stored : {},
  };
}

export function changeAddress({ id, kind, created }: Pick<ChangeRow, "id" | "kind" | "created">): string {
  const day = created.slice(0, "2026-11-01".length).replaceAll("-", "/");
  return `/recentchanges/${day}/${encodeURIComponent(kind)}/${id}`;
}

/** Parses the column with the keys of the first records, a JSON array. */
export function recordKeysOf({ size, keys }: ShortChange): string[] {
  return size === null ? [] : (JSON.parse(keys) as string[]);
}
