import { type CatalogRecord, stringsOf } from "../../catalog/record.ts";
import { flipName } from "./flip-name.ts";

const INFORMAL = /i\. ?e\./;

/**
 * An author object with its names in the order in which they are spoken (import.md 17.1). Those of bodies stay, and so do
 * those that the title page has in the order of the catalog, as in Chinese.
 */
export function inNaturalOrder(author: CatalogRecord, byStatement: string | undefined): CatalogRecord {
  const { name, personal_name: personalName, alternate_names: alternateNames } = author;
  if (typeof name !== "string" || author["entity_type"] === "org" || isEastern(name, byStatement)) {
    return author;
  }
  const alternate = stringsOf(alternateNames).map(flipName);
  const others = alternate.length === 0 ? author : { ...author, alternate_names: alternate };
  if (!isFlipped(name, personalName)) return others;
  const flipped = { ...others, name: flipName(name) };
  return typeof personalName === "string" ? { ...flipped, personal_name: flipName(personalName) } : flipped;
}

function isFlipped(name: string, personalName: unknown): boolean {
  const comma = name.indexOf(", ");
  if (comma === -1 || name.includes(",", comma + 1) || INFORMAL.test(name)) return false;
  return typeof personalName !== "string" || personalName === name;
}

/** Q331: the two parts of a name are looked for with a blank between them. */
function isEastern(name: string, byStatement: string | undefined): boolean {
  if (byStatement === undefined) return false;
  const bare = name.replaceAll(".", "");
  const spoken = bare.replaceAll(", ", " ");
  return spoken !== flipName(bare) && byStatement.includes(spoken);
}
