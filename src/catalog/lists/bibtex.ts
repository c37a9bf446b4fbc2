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

/** What an entry needs besides the record. */
interface BibtexOptions {
  /** Names of the authors, in order. */
  readonly authors: readonly string[];
  /** Address of the service without a slash at its end. */
  readonly baseUrl: string;
}

/** An edition or work as a BibTeX entry; its name is the number of the record. */
export function bibtexEntry(record: CatalogRecord, { authors, baseUrl }: BibtexOptions): string {
  const key = keyOf(record) ?? "";
  const fields = [
    ["author", authors.join(" and ")],
    ["title", titleOf(record)],
    ["publisher", stringsOf(record["publishers"]).join(", ")],
    ["year", yearOf(record)],
    ["isbn", [...stringsOf(record["isbn_13"]), ...stringsOf(record["isbn_10"])][0]],
    ["url", baseUrl + key],
  ] as const;
  const lines = fields.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`  ${name} = {${name === "url" ? value : escaped(value)}}`],
  );
  return `@book{${key.slice(key.lastIndexOf("/") + 1)},\n${lines.join(",\n")}\n}\n`;
}

function titleOf(record: CatalogRecord): string {
  const title = typeKey(record) === "/type/edition" ? editionTitle(record) : textOf(record["title"]);
  const subtitle = textOf(record["subtitle"]);
  return [title, subtitle].filter((text) => text !== undefined && text !== "").join(": ");
}

function yearOf(record: CatalogRecord): string | undefined {
  const date = textOf(record["publish_date"]) ?? textOf(record["first_publish_date"]) ?? "";
  return YEAR.exec(date)?.[0];
}

/** Characters that TeX would take for its own, and braces, which would end the value. */
function escaped(text: string): string {
  return text.replace(CONTROL, " ").replace(SPECIAL, (character) => ESCAPES[character] ?? `\\${character}`);
}
