import type { Json } from "../../catalog/record.ts";

/** Metadata of an archive item, in the shape that its rules read: names of lists to lists, all others to one text. */
export interface ItemMetadata {
  /** The text of a member; undefined when it is absent. */
  text(name: string): string | undefined;
  /** The texts of one of the members that are lists. */
  list(name: string): readonly string[];
}

/** Members that are lists, however they were written (import.md 3.2). Q329: of others the first value counts. */
const LISTS: ReadonlySet<string> = new Set([
  "collection",
  "external-identifier",
  "isbn",
  "subject",
  "oclc-id",
]);

/** Metadata as an archive tells it, made regular: one value or many, empty ones dropped. Numbers, true and false are written out. */
export function itemMetadata(raw: Readonly<Record<string, Json | undefined>>): ItemMetadata {
  const values = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(raw)) {
    const texts = textsOf(value);
    if (texts.length > 0) values.set(name, LISTS.has(name) ? texts : texts.slice(0, 1));
  }
  return {
    text: (name) => values.get(name)?.[0],
    list: (name) => values.get(name) ?? [],
  };
}

function textsOf(value: Json | undefined): string[] {
  const list = Array.isArray(value) ? value : [value];
  const written = list.map((one) => (typeof one === "object" || one === undefined ? "" : String(one)));
  return written.filter((text) => text !== "");
}
