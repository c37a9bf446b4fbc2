import { PEOPLE_FOLDER, UNDUMPED_FOLDERS } from "../../catalog/dumps/dumped-keys.ts";

/** The text after all that begin with a prefix. */
function end(prefix: string): string {
  const last = prefix.length - 1;
  return prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
}

const below = (column: string, folder: string): string =>
  `(${column} >= '${folder}' AND ${column} < '${end(folder)}')`;

/** Condition on a key: very nearly those that are dumped. `isDumpedKey` says exactly which ones are. */
export function dumpedKey(column: string): string {
  const others = UNDUMPED_FOLDERS.map((folder) => `NOT ${below(column, folder)}`);
  const people = `(NOT ${below(column, PEOPLE_FOLDER)} OR ${column} GLOB '${PEOPLE_FOLDER}*/lists/*L')`;
  return [below(column, "/"), ...others, people].join(" AND ");
}

/** Condition: a load made this change. It was no edit (Q424). */
export function isLoad(change: string): string {
  return `EXISTS (SELECT 1 FROM change c WHERE c.id = ${change} AND c.changes IS NULL)`;
}

/** The revision that was the newest one of a record `r` when the change `?upTo` was, as far as it is stored; null for others. */
export function newestBefore(upTo: string): string {
  return `CASE WHEN r.change_id <= ${upTo} THEN r.revision ELSE
    (SELECT max(o.revision) FROM revision o WHERE o.record_id = r.id AND o.change_id <= ${upTo}) END`;
}

/**
 * The same; null for records that are younger. What a load has corrected since in its place, or brought since, is as it is now
 * (Q424), even when it was edited afterwards: of the text before nothing is stored.
 */
export function newestAsOf(upTo: string): string {
  return `coalesce(${newestBefore(upTo)}, CASE WHEN ${isLoad("r.change_id")} THEN r.revision ELSE
    (SELECT max(o.revision) FROM revision o WHERE o.record_id = r.id AND ${isLoad("o.change_id")}) END)`;
}
