import { type CatalogRecord, type Json, typeKey } from "../record.ts";

/**
 * Maximum number of values in a list of a work, edition or author, such as its subjects. Loaded records may have more.
 */
export const RECORD_VALUES_MAX = 1000;
/** Maximum length of a text in such a list, in UTF-16 units. */
export const RECORD_VALUE_LENGTH = 500;

const LIMITED_TYPES: ReadonlySet<string> = new Set(["/type/work", "/type/edition", "/type/author"]);

/**
 * Returns the problem with a changed list of a record, or undefined if there is none. Values stored before are
 * accepted.
 */
export function listProblem(type: string, value: Json, stored: Json | undefined): string | undefined {
  if (!LIMITED_TYPES.has(type) || !Array.isArray(value)) return undefined;
  const { length } = value;
  if (length > RECORD_VALUES_MAX && length > listOf(stored).length) {
    return `a list has at most ${RECORD_VALUES_MAX} values, found ${length}`;
  }
  const tooLong = value.some(isTooLong) && newOf(value, stored).find(isTooLong);
  return typeof tooLong === "string"
    ? `a text in a list has at most ${RECORD_VALUE_LENGTH} characters, found ${tooLong.length}`
    : undefined;
}

/** Cuts the lists of an imported record to the limits: removes texts that are too long and surplus values. */
export function cutLists<Members extends CatalogRecord>(
  members: Members,
  stored: CatalogRecord = {},
): Members {
  const type = typeKey(members) ?? "";
  if (!Object.entries(members).some(([name, value = null]) => listProblem(type, value, stored[name])))
    return members;
  const cut = Object.entries(members).map(([name, value = null]) => {
    if (listProblem(type, value, stored[name]) === undefined || !Array.isArray(value)) return [name, value];
    const dropped = new Set<Json>(newOf(value, stored[name]).filter(isTooLong));
    const most = Math.max(RECORD_VALUES_MAX, listOf(stored[name]).length);
    return [name, value.filter((one) => !dropped.has(one)).slice(0, most)];
  });
  // Has the same members, with some shorter lists.
  return Object.fromEntries(cut) as Members;
}

function isTooLong(value: Json): boolean {
  return typeof value === "string" && value.length > RECORD_VALUE_LENGTH;
}

function newOf(value: readonly Json[], stored: Json | undefined): Json[] {
  const known = new Set(listOf(stored));
  return value.filter((one) => !known.has(one));
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
