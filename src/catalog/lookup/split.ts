/** Bib keys that one request may hold; more are refused (lookup.md 3.1). */
export const BIBKEYS_MAX = 1000;

/** The bib keys of all occurrences of `bibkeys`, trimmed, in order, each once (lookup.md 3.1). */
export function splitBibKeys(occurrences: readonly string[]): string[] {
  const keys = occurrences.flatMap((occurrence) => occurrence.split(","));
  return [...new Set(keys.map((key) => key.trim()))].filter((key) => key !== "");
}
