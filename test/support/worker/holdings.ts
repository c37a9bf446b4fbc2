import { env } from "cloudflare:workers";

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
