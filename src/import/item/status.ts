import type { ImportErrorCode } from "../failure.ts";
import type { ItemMetadata } from "./metadata.ts";

/** States of a scan in which its metadata is settled. */
const SETTLED_STATES: ReadonlySet<string> = new Set(["4", "19", "20", "22"]);
/** Collections whose books are lent: they are wanted though search engines shall not know them. */
const LENDING_COLLECTIONS: ReadonlySet<string> = new Set(["printdisabled", "inlibrary"]);

/** The item that a status is asked of. */
export interface StatusOf {
  readonly id: string;
  readonly metadata: ItemMetadata;
  /** Starts of ids that are never imported. */
  readonly prefixesRefused: readonly string[];
}

/** Why an item is not imported; undefined when nothing speaks against it (import.md 3.2). The first reason counts. */
export function itemRefusal({ id, metadata, prefixesRefused }: StatusOf): ImportErrorCode | undefined {
  const state = metadata.text("repub_state");
  if (metadata.text("mediatype") !== "texts") return "not-texts-item";
  if (state !== undefined && !SETTLED_STATES.has(state)) return "bad-repub-state";
  if (metadata.text("imagecount") === undefined) return "no-imagecount";
  if (prefixesRefused.some((prefix) => id.startsWith(prefix))) return "prefix-blacklisted";
  if (metadata.text("noindex") === "true" && !isLent(metadata)) return "noindex-true";
  if (metadata.text("no_ol_import")?.toLowerCase() === "true") return "no-ol-import";
  return undefined;
}

function isLent(metadata: ItemMetadata): boolean {
  return metadata.list("collection").some((name) => LENDING_COLLECTIONS.has(name));
}
