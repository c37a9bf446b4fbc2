import type { ListHead } from "../../catalog/lists/list-view.ts";
import type { EditionChange } from "../../catalog/lists/atom.ts";
import { type Database, batchRows } from "../statement.ts";
import { type HeadRow, headOf, listHead } from "./read-list.ts";
import { MEMBER_COLUMNS, type MemberRow, SEED_KEY, shownMembers } from "./seed-columns.ts";

/** Entries of a feed: the editions that were changed last. */
export const FEED_ENTRIES_MAX = 500;

interface ChangeRow extends MemberRow {
  readonly recordKey: string;
  readonly changeId: number;
  readonly created: string;
  readonly comment: string | null;
  readonly author: string | null;
  readonly authorName: string | null;
}

/** A list with the latest changes of its editions, newest first; undefined when there is none. One round trip. */
export async function readEditionChanges(
  database: Database,
  key: string,
): Promise<{ readonly list: ListHead; readonly changes: readonly EditionChange[] } | undefined> {
  const [heads = [], found = []] = await batchRows(database, [
    listHead(key),
    {
      sql: `SELECT ${MEMBER_COLUMNS}, c.id AS changeId, c.created, c.comment, c.author,
              u.document ->> '$.displayname' AS authorName
            FROM (SELECT DISTINCT ${SEED_KEY} AS named FROM record l, json_each(l.document, '$.seeds') e
                  WHERE l.key = ?1 AND l.type = '/type/list') s
            CROSS JOIN record m ON m.key = s.named AND m.type = '/type/edition'
            CROSS JOIN change c ON c.id = m.change_id
            LEFT JOIN record u ON u.key = c.author
            ORDER BY c.id DESC, m.id LIMIT ${FEED_ENTRIES_MAX}`,
      values: [key],
    },
  ]);
  // The rows have the columns of the statements.
  const list = headOf((heads as HeadRow[])[0]);
  return list === undefined ? undefined : { list, changes: (found as ChangeRow[]).map(changeOf) };
}

function changeOf({
  recordKey,
  changeId,
  created,
  comment,
  author,
  authorName,
  members,
}: ChangeRow): EditionChange {
  return { edition: shownMembers(members), key: recordKey, changeId, created, comment, author, authorName };
}
