import { type CatalogRecord, textOf } from "../catalog/record.ts";
import { ImportFailure } from "./failure.ts";
import type { MarcRecord } from "./marc/record.ts";

/**
 * Returns a partner's own numbers for a book, `urn:<prefix>:<number>`, from its MARC record. `partner` is a record of
 * type `/type/local_id`. Throws ImportFailure `bad-input` if it does not say where the numbers are, MarcError if the
 * field is damaged.
 */
export function localIds(marc: MarcRecord, partner: CatalogRecord): string[] {
  const { tag, code, urnPrefix } = placeOf(partner);
  return marc.fields
    .filter((field) => field.tag === tag)
    .map((field) => ("value" in field ? field.value : field.subfields.find(([name]) => name === code)?.[1]))
    .filter((value) => value !== undefined && value !== "")
    .map((value) => `urn:${urnPrefix}:${value}`);
}

/**
 * Returns the location of a partner's own numbers in its MARC records. Without a subfield code it is a control field.
 */
function placeOf(partner: CatalogRecord) {
  const [tag = "", code, ...more] = (textOf(partner["id_location"]) ?? "").split("$");
  const urnPrefix = textOf(partner["urn_prefix"]) ?? "";
  if (tag === "" || code === "" || more.length > 0 || urnPrefix === "") {
    throw new ImportFailure("bad-input", "local_id does not say where its numbers are in a MARC record");
  }
  return { tag, code, urnPrefix };
}

/** Leader types of books: printed text, and material catalogued as scores and computer files. */
const BOOK_KINDS: ReadonlySet<string> = new Set(["a", "c", "m"]);

/** Throws ImportFailure if the leader of a MARC record says that it is not a book. */
export function requireBook({ leader }: Pick<MarcRecord, "leader">): void {
  const [kind, level] = [leader.charAt(6), leader.charAt(7)];
  if (level === "m" && BOOK_KINDS.has(kind)) return;
  throw new ImportFailure(level === "s" ? "item-is-serial" : "item-not-book", "Item rejected");
}
