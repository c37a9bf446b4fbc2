/** Folders whose records stand in no dump (records.md 11.1): what administrators and old programs kept there. */
export const UNDUMPED_FOLDERS = ["/admin/", "/b/", "/old/", "/scan", "/user/"] as const;
/** Of people their lists are dumped and nothing else. */
export const PEOPLE_FOLDER = "/people/";

const LIST_OF_SOMEBODY = /^\/people\/[^/]+\/lists\/([A-Z]{2})\d+L$/;

/** True for keys whose records everybody may download: of people their lists alone, of nobody else's folders anything. */
export function isDumpedKey(key: string, prefix: string): boolean {
  if (!key.startsWith("/")) return false;
  if (key.startsWith(PEOPLE_FOLDER)) return LIST_OF_SOMEBODY.exec(key)?.[1] === prefix;
  return !UNDUMPED_FOLDERS.some((folder) => key.startsWith(folder));
}
