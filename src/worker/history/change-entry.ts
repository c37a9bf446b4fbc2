import * as z from "zod";
import { type Json, isObject } from "../../catalog/record.ts";
import type { ChangeRow } from "../../db/history/rows.ts";

/** A revision of a record. */
export const revisionSchema = z.object({ key: z.string(), revision: z.int() });

/** A change as programs read it. `ip` is for the service itself: it is null in public answers. */
interface ChangeEntry {
  readonly id: string;
  readonly kind: string;
  /** Naive UTC time. */
  readonly timestamp: string;
  readonly comment: string | null;
  /** Null for a batch of a dump. */
  readonly changes: { readonly key: string; readonly revision: number }[] | null;
  readonly author: { readonly key: string } | null;
  readonly ip: string | null;
  readonly data: { readonly [name: string]: Json };
}

/** A change as readers get it; the address is shown to the service only, for changes without an author. */
export function changeEntry(row: ChangeRow, asker: "service" | "client" = "client"): ChangeEntry {
  const { id, kind, created, comment, changes, author, ip, data } = row;
  return {
    id: String(id),
    kind,
    timestamp: created,
    comment,
    // Q125: a batch of a dump does not list its records. What is stored was written by this service.
    changes: changes === null ? null : (JSON.parse(changes) as ChangeEntry["changes"]),
    author: author === null ? null : { key: author },
    ip: asker === "service" && author === null ? ip : null,
    data: dataOf(data),
  };
}

function dataOf(text: string): ChangeEntry["data"] {
  const data: unknown = JSON.parse(text);
  // A JSON object holds JSON values.
  return isObject(data) ? (data as ChangeEntry["data"]) : {};
}

/** The change's own address, without a suffix. */
export function changeAddress({ id, kind, created }: Pick<ChangeRow, "id" | "kind" | "created">): string {
  const day = created.slice(0, "2026-11-01".length).replaceAll("-", "/");
  return `/recentchanges/${day}/${encodeURIComponent(kind)}/${id}`;
}
