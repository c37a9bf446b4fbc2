import type { Json } from "../catalog/record.ts";

/** JSON text with the members of every object in the order of their names, as queued records are kept (import.md 6.3). */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_name, member: unknown) => (isObject(member) ? sorted(member) : member));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(object).toSorted();
  // Made without a prototype: a member may be called `__proto__`.
  const made: Record<string, unknown> = Object.create(null);
  for (const name of names) made[name] = object[name];
  return made;
}
