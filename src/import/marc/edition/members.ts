import type { Json } from "../../../catalog/record.ts";

/** An edition in the making. */
export type Members = Record<string, Json>;

/** Sets a member unless its value is empty: no text, no list, no object without anything in it (import.md 13). */
export function put(members: Members, name: string, value: Json | undefined): void {
  if (value !== undefined && value !== null && !isEmpty(value)) members[name] = value;
}

function isEmpty(value: Json): boolean {
  if (typeof value === "string") return value === "";
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return false;
}

/** The values that are not empty. */
export function filled(values: readonly string[]): string[] {
  return values.filter((value) => value !== "");
}
