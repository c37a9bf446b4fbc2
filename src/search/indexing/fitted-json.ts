/** Maximum length of a document in stored JSON, in characters; longer ones are cut. */
export const DOCUMENT_LENGTH_MAX = 400_000;

/** Minimum length of a text that is cut to make a document fit, in characters. */
const CUT_LENGTH_MIN = 20;

/**
 * Returns the JSON of a document; its longest lists and texts are cut by half until it is no longer than `length`.
 * Throws if that is impossible.
 */
export function fittedJson(document: object, length = DOCUMENT_LENGTH_MAX): string {
  let json = JSON.stringify(document);
  if (json.length <= length) return json;
  const members = new Map<string, unknown>(Object.entries(document));
  while (json.length > length) {
    const longest = longestMemberOf(members);
    if (longest === undefined) throw new Error("a document with too many members");
    members.set(longest, halve(members.get(longest)));
    json = JSON.stringify(Object.fromEntries(members));
  }
  return json;
}

function longestMemberOf(members: ReadonlyMap<string, unknown>): string | undefined {
  let longest: string | undefined;
  let size = 0;
  for (const [name, value] of members) {
    const length = isCuttable(value) ? JSON.stringify(value).length : 0;
    if (length > size) [longest, size] = [name, length];
  }
  return longest;
}

function isCuttable(value: unknown): value is string | unknown[] {
  if (typeof value === "string") return value.length >= CUT_LENGTH_MIN;
  return Array.isArray(value) && value.length > 0;
}

function halve(value: unknown): unknown {
  if (typeof value === "string") return value.slice(0, value.length / 2).toWellFormed();
  return Array.isArray(value) ? value.slice(0, value.length / 2) : value;
}
