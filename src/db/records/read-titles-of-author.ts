import { idRange } from "../../catalog/record-id.ts";
import { type Database, rows } from "../statement.ts";

/** A work by what tells it from others. */
export interface TitledWork {
  readonly key: string;
  /** JSON of the member as it is stored; null when there is none, or it is longer than `TITLE_JSON_MAX`. */
  readonly title: string | null;
  readonly subtitle: string | null;
  readonly firstPublished: string | null;
}

/** Longest member that is read, in characters of JSON: a member may have a million, and an author thousands of works. */
export const TITLE_JSON_MAX = 4000;

/** Titles of the works of an author, in ascending order of their keys, at most `limit`. One statement. */
export function readTitlesOfAuthor(database: Database, author: string, limit: number): Promise<TitledWork[]> {
  const { from, to } = idRange("W");
  return rows<TitledWork>(database, {
    sql: `SELECT r.key, ${member("title")} AS title, ${member("subtitle")} AS subtitle,
                 ${member("first_publish_date")} AS firstPublished
          FROM property p JOIN record r ON r.id = p.record_id
          WHERE p.name = 'authors.author' AND p.value = ?1 AND p.record_id >= ?2 AND p.record_id < ?3
            AND r.type = '/type/work'
          ORDER BY p.record_id LIMIT ?4`,
    values: [author, from, to, limit],
  });
}

function member(name: "title" | "subtitle" | "first_publish_date"): string {
  const stored = `r.document->'$.${name}'`;
  return `iif(length(${stored}) <= ${TITLE_JSON_MAX}, ${stored}, NULL)`;
}
