import type { Json } from "../catalog/record.ts";
import type { ImportErrorCode } from "./failure.ts";

/** Metadata of an archive item, in the shape that its rules read: names of lists to lists, all others to one text. */
export type ItemMetadata = ReturnType<typeof itemMetadata>;

/** Members that are lists, however they were written. Q329: of others the first value counts. */
const LISTS: ReadonlySet<string> = new Set([
  "collection",
  "external-identifier",
  "isbn",
  "subject",
  "oclc-id",
]);

/**
 * Metadata as an archive tells it, made regular: one value or many, empty ones dropped. Numbers, true and false are
 * written out.
 */
export function itemMetadata(raw: Readonly<Record<string, Json | undefined>>) {
  const values = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(raw)) {
    const texts = textsOf(value);
    if (texts.length > 0) values.set(name, LISTS.has(name) ? texts : texts.slice(0, 1));
  }
  return {
    /** The text of a member; undefined when it is absent. */
    text: (name: string): string | undefined => values.get(name)?.[0],
    /** The texts of one of the members that are lists. */
    list: (name: string): readonly string[] => values.get(name) ?? [],
  };
}

function textsOf(value: Json | undefined): string[] {
  const list = Array.isArray(value) ? value : [value];
  const written = list.map((one) => (typeof one === "object" || one === undefined ? "" : String(one)));
  return written.filter((text) => text !== "");
}

/** States of a scan in which its metadata is settled. */
const SETTLED_STATES: ReadonlySet<string> = new Set(["4", "19", "20", "22"]);
/** Collections whose books are lent: they are wanted though search engines shall not know them. */
const LENDING_COLLECTIONS: ReadonlySet<string> = new Set(["printdisabled", "inlibrary"]);

/**
 * Why an item is not imported, such as for how its id starts; undefined when nothing speaks against it. The first reason
 * counts.
 */
export function itemRefusal(
  id: string,
  metadata: ItemMetadata,
  prefixesRefused: readonly string[],
): ImportErrorCode | undefined {
  const state = metadata.text("repub_state");
  if (metadata.text("mediatype") !== "texts") return "not-texts-item";
  if (state !== undefined && !SETTLED_STATES.has(state)) return "bad-repub-state";
  if (metadata.text("imagecount") === undefined) return "no-imagecount";
  if (prefixesRefused.some((prefix) => id.startsWith(prefix))) return "prefix-blacklisted";
  const isLent = metadata.list("collection").some((name) => LENDING_COLLECTIONS.has(name));
  if (metadata.text("noindex") === "true" && !isLent) return "noindex-true";
  if (metadata.text("no_ol_import")?.toLowerCase() === "true") return "no-ol-import";
  return undefined;
}
