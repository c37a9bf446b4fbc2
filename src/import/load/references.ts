import { type Json, isObject, keyOf } from "../../catalog/record.ts";

/** Keys of authors, of references to them or of their roles in a work. */
export function authorKeys(references: Json | undefined): string[] {
  if (!Array.isArray(references)) return [];
  return references.flatMap(
    (reference) => keyOf(isObject(reference) ? (reference["author"] ?? reference) : reference) ?? [],
  );
}
