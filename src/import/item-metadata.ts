import type { Json } from "../catalog/record.ts";
import type { ImportErrorCode } from "./failure.ts";

/** Normalised metadata of an archive item: list members as lists, all others as one text. */
export type ItemMetadata = ReturnType<typeof itemMetadata>;

/** Members that are lists, in any notation. Q329: of other members the first value counts. */
const LISTS: ReadonlySet<string> = new Set([
  "collection",
  "external-identifier",
  "isbn",
  "subject",
  "oclc-id",
]);

/**
 * Normalises the metadata of an archive: single values or lists, without empty ones. Numbers and booleans become text.
 */
export function itemMetadata(raw: Readonly<Record<string, Json | undefined>>) {
  const values = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(raw)) {
    const texts = textsOf(value);
    if (texts.length > 0) values.set(name, LISTS.has(name) ? texts : texts.slice(0, 1));
  }
  return {
    /** Returns the text of a member, or undefined if it is absent. */
    text: (name: string): string | undefined => values.get(name)?.[0],
    /** Returns the texts of a list member. */
    list: (name: string): readonly string[] => values.get(name) ?? [],
  };
}

function textsOf(value: Json | undefined): string[] {
  const list = Array.isArray(value) ? value : [value];
  const written = list.map((one) => (typeof one === "object" || one === undefined ? "" : String(one)));
  return written.filter((text) => text !== "");
}

/** `repub_state` values of scans whose metadata is final. */
const SETTLED_STATES: ReadonlySet<string> = new Set(["4", "19", "20", "22"]);
/** Collections for lending. Their items are imported even though search engines must not index them. */
const LENDING_COLLECTIONS: ReadonlySet<string> = new Set(["printdisabled", "inlibrary"]);

/**
 * Returns the first reason for not importing an item, such as the prefix of its id. Returns undefined if there is none.
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
