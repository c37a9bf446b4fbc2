import { type CatalogRecord, type Json, isObject } from "./record.ts";

// oxlint-disable-next-line no-control-regex -- all control characters of ASCII but tab and line ends
const CONTROL = /[\0-\u0008\u000B\u000C\u000E-\u001F]/g;

/** Returns true if a text has a control character besides tab and line ends, which no stored text needs (Q777). */
export function hasControl(text: string): boolean {
  return text.search(CONTROL) !== -1;
}

export function withoutControls(text: string): string {
  return text.replace(CONTROL, "");
}

type TextPath = (string | number)[];

/** Returns the path of the first text or member name with half a surrogate pair; undefined if there is none. */
export function findHalfSurrogate(value: Json | undefined): TextPath | undefined {
  return findText(value, (text) => !text.isWellFormed());
}

/** Returns the path of the first text or member name with a control character; undefined if there is none. */
export function findControl(value: Json | undefined): TextPath | undefined {
  return findText(value, hasControl);
}

/** Returns the record without control characters in its texts and names: itself if it has none. */
export function dropControls(record: CatalogRecord): CatalogRecord {
  if (findControl(record) === undefined) return record;
  const clean = (value: Json): Json => {
    if (typeof value === "string") return withoutControls(value);
    return Array.isArray(value) ? value.map(clean) : isObject(value) ? dropControls(value) : value;
  };
  return Object.fromEntries(
    Object.entries(record).map(([name, value = null]) => [withoutControls(name), clean(value)]),
  );
}

/** Returns the path of the first text or member name that `isFound` accepts; undefined if there is none. */
export function findText(value: Json | undefined, isFound: (text: string) => boolean): TextPath | undefined {
  if (typeof value === "string") return isFound(value) ? [] : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const path = isFound(name) ? [] : findText(inner, isFound);
    if (path === undefined) continue;
    return [Array.isArray(value) ? Number(name) : withoutControls(name.toWellFormed()), ...path];
  }
  return undefined;
}
