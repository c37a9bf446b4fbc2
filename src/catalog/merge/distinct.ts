import { type CatalogRecord, type Json, isObject, typeKey } from "../record.ts";

/**
 * A text that is the same for equal values: the order of members means nothing. The type of an author role, which is
 * stored in two forms or not at all, means nothing either.
 */
export function fingerprint(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(fingerprint).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined && !isRoleType(name, value))
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${fingerprint(value[name])}`).join(",")}}`;
}

function isRoleType(name: string, object: CatalogRecord): boolean {
  return name === "type" && typeKey(object) === "/type/author_role";
}

/** The elements without those that equal an earlier one by `identity`. The array itself when there are none. */
export function distinct(elements: Json[], identity: (element: Json) => string = fingerprint): Json[] {
  const seen = new Set<string>();
  const kept = elements.filter((element) => {
    const text = identity(element);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
  return kept.length === elements.length ? elements : kept;
}
