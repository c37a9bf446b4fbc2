import { env } from "cloudflare:workers";
import { OPENABLE_SCANS } from "../../../src/worker/lending/service/openable.ts";

/** Says what is known of a scanned item; there is no route for that yet. */
export async function addItem(
  ocaid: string,
  collections: readonly string[],
  restricted = false,
): Promise<void> {
  await env.CATALOG.prepare(
    "INSERT INTO item (ocaid, collections, access_restricted, updated) VALUES (?, ?, ?, '2026-11-01')",
  )
    .bind(ocaid, JSON.stringify(collections), Number(restricted))
    .run();
}

/** Stores a file of a scan, so that this service's reader can open it. */
export async function addScanFile(ocaid: string, file = "book.epub"): Promise<void> {
  await env.ARCHIVE.put(`items/${ocaid}/${file}`, "a file");
  await env.CACHE.delete(OPENABLE_SCANS);
}
