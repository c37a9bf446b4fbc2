/** Folders that subjects of other kinds had (lookup.md 9.6). */
const OLD_FOLDERS = new Map([
  ["people", "person"],
  ["places", "place"],
  ["times", "time"],
]);

/** The part of a subject's address after `/subjects/` as it is written now: small letters, `person:` for `people/`. */
export function settledSubject(key: string): string {
  const lower = key.toLowerCase();
  const slash = lower.indexOf("/");
  const kind = OLD_FOLDERS.get(slash === -1 ? "" : lower.slice(0, slash));
  return kind === undefined ? lower : `${kind}:${lower.slice(slash + 1)}`;
}
