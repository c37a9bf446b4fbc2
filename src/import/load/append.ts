import { caseFold } from "../../catalog/matching/case-fold.ts";
import { type Json, stringsOf } from "../../catalog/record.ts";

/**
 * The elements of a stored list with those of the record that it lacks; undefined when it lacks none. Two texts are one
 * when `keyOf` is the same for both; in which case they are written does not count otherwise.
 */
export function appended(
  stored: Json | undefined,
  values: Json | undefined,
  keyOf: (text: string) => string = caseFold,
): Json[] | undefined {
  const elements = Array.isArray(stored) ? stored : stringsOf(stored);
  const known = new Set(stringsOf(elements).map(keyOf));
  const added = stringsOf(values).filter((value) => {
    const key = keyOf(value);
    if (value.trim() === "" || known.has(key)) return false;
    known.add(key);
    return true;
  });
  return added.length === 0 ? undefined : [...elements, ...added];
}
