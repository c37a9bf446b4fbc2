/** A stored time as answers about lists have it: naive UTC, without a fraction that is zero (patrons.md 0.5). */
export function wireTime(stored: string): string {
  return stored.replace(/\.0+$/, "");
}
