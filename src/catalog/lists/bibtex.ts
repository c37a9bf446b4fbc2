import { lastSegment } from "../keys.ts";
import { type CatalogRecord, keyOf, stringsOf, textOf, typeKey } from "../record.ts";
import { editionTitle } from "../view.ts";

const SPECIAL = /[\\{}$&#%_~^]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
};
const CONTROL = /\p{Cc}+/gu;
const YEAR = /\b\d{4}\b/;

/**
 * An edition or work as a BibTeX entry; its name is the number of the record, `authors` are names in order, `baseUrl` has
 * no slash at its end.
 */
export function bibtexEntry(
  record: CatalogRecord,
  { authors, baseUrl }: { readonly authors: readonly string[]; readonly baseUrl: string },
): string {
  const key = keyOf(record) ?? "";
  const date = textOf(record["publish_date"]) ?? textOf(record["first_publish_date"]) ?? "";
  const fields = [
    ["author", authors.join(" and ")],
    ["title", titleOf(record)],
    ["publisher", stringsOf(record["publishers"]).join(", ")],
    ["year", YEAR.exec(date)?.[0]],
    ["isbn", [...stringsOf(record["isbn_13"]), ...stringsOf(record["isbn_10"])][0]],
    ["url", baseUrl + key],
  ] as const;
  const lines = fields.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`  ${name} = {${name === "url" ? value : escaped(value)}}`],
  );
  return `@book{${lastSegment(key)},\n${lines.join(",\n")}\n}\n`;
}

function titleOf(record: CatalogRecord): string {
  const title = typeKey(record) === "/type/edition" ? editionTitle(record) : textOf(record["title"]);
  const subtitle = textOf(record["subtitle"]);
  return [title, subtitle].filter((text) => text !== undefined && text !== "").join(": ");
}

/** Characters that TeX would take for its own, and braces, which would end the value. */
function escaped(text: string): string {
  return text.replace(CONTROL, " ").replace(SPECIAL, (character) => ESCAPES[character] ?? `\\${character}`);
}
