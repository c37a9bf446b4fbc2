import { type CatalogRecord, type Json, isObject, stringsOf } from "../record.ts";
import { splitLines } from "./form-texts.ts";

/** Identifier in a form. */
interface FormIdentifier {
  readonly name: string;
  readonly value: string;
}

/** Identifiers of an edition with their own members. */
const OWN_MEMBERS = ["isbn_10", "isbn_13", "lccn", "oclc_numbers"] as const;
/** Classifications with their own members. */
const OWN_CLASSES = ["lc_classifications", "dewey_decimal_class"] as const;
const ISBNS: ReadonlySet<string> = new Set(["isbn_10", "isbn_13"]);

/** Parses the identifiers of a form: `[{name, value}]`, lines `name: value`, or an object `{name: [values]}`. */
export function formIdentifiers(value: Json): FormIdentifier[] {
  if (typeof value === "string") return splitLines(value).flatMap((line) => fromLine(line) ?? []);
  if (Array.isArray(value)) return value.flatMap((row) => fromRow(row) ?? []);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, values]) =>
    stringsOf(values).flatMap((one) => fromRow({ name, value: one }) ?? []),
  );
}

function fromLine(line: string): FormIdentifier | undefined {
  const colon = line.indexOf(":");
  return colon === -1 ? undefined : fromRow({ name: line.slice(0, colon), value: line.slice(colon + 1) });
}

function fromRow(row: Json): FormIdentifier | undefined {
  if (!isObject(row)) return undefined;
  const { name, value } = row;
  if (typeof name !== "string" || typeof value !== "string") return undefined;
  const [source, text] = [name.trim(), value.trim()];
  if (source === "" || text === "") return undefined;
  return { name: source, value: ISBNS.has(source) ? text.replaceAll(/[-\s]/g, "") : text };
}

/** Formats an object `{name: [values]}` as lines `name: value`. */
export function identifierText(value: Json | undefined): string {
  if (!isObject(value)) return "";
  return Object.entries(value)
    .flatMap(([name, values]) => stringsOf(values).map((one) => `${name}: ${one}`))
    .join("\n");
}

/**
 * Returns the members of an edition with exactly these identifiers. ISBNs and the like have their own members; with
 * `isWhole`, which marks the list as complete, those that are missing are removed. A scan is kept unless the list has
 * one.
 */
export function identifierMembers(list: readonly FormIdentifier[], isWhole: boolean): CatalogRecord {
  const ocaid = list.findLast(({ name }) => name === "ocaid")?.value;
  const members = grouped(list, OWN_MEMBERS, { member: "identifiers", isWhole });
  return ocaid === undefined ? members : { ...members, ocaid };
}

/** Returns the members of an edition with exactly these classifications. */
export function classificationMembers(list: readonly FormIdentifier[], isWhole: boolean): CatalogRecord {
  return grouped(list, OWN_CLASSES, { member: "classifications", isWhole });
}

function grouped(
  list: readonly FormIdentifier[],
  own: readonly string[],
  { member, isWhole }: { member: string; isWhole: boolean },
): CatalogRecord {
  const groups = new Map<string, string[]>();
  for (const { name, value } of list) {
    const values = groups.get(name) ?? [];
    if (!values.includes(value)) values.push(value);
    groups.set(name, values);
  }
  groups.delete("ocaid");
  const others = [...groups].filter(([name]) => !own.includes(name));
  const ownEntries = own.flatMap((name): [string, Json][] => {
    const values = groups.get(name);
    if (values === undefined) return isWhole ? [[name, null]] : [];
    return [[name, values]];
  });
  return {
    ...Object.fromEntries(ownEntries),
    [member]: others.length === 0 ? null : Object.fromEntries(others),
  };
}
