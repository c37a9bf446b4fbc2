import { idOfKey } from "../../catalog/key-numbers.ts";
import { WHOLE_NUMBER } from "../../db/records/records.ts";
import { type RecordPageRows, readRecordPage } from "../../db/records/members.ts";
import { LIST_PAGES_MAX, listPage } from "../http/parameters.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import type { Part } from "../ui/pager.ts";

/** Editions on a page of a work, and works on one of an author. */
const RECORD_PAGE_MEMBERS = 50;

/** Requested record, revision and part of its members. */
export interface PageOfMembers {
  readonly key: string;
  readonly v: string | undefined;
  readonly page: string | undefined;
}

/** Rows of a record's page, and the part of its members. */
export interface FoundPage extends RecordPageRows {
  readonly part: Part;
}

/** Reads a record, a revision of it and a page of its members. One round trip. */
export async function readPageOfMembers(
  { key, v, page }: PageOfMembers,
  context: RequestContext,
): Promise<FoundPage> {
  const number = listPage(page);
  const rows = await readRecordPage(catalogReader(context), {
    key,
    revision: revisionNumber(v),
    kind: membersOf(key, context.settings.RECORD_PREFIX),
    limit: RECORD_PAGE_MEMBERS,
    offset: (number - 1) * RECORD_PAGE_MEMBERS,
  });
  const window = RECORD_PAGE_MEMBERS * LIST_PAGES_MAX;
  return { ...rows, part: { number, size: RECORD_PAGE_MEMBERS, total: rows.size, window } };
}

/** Reads the number of a revision; undefined means the latest (Q20). */
export function revisionNumber(v: string | undefined): number | undefined {
  return v !== undefined && WHOLE_NUMBER.test(v) && Number(v) !== 0 ? Number(v) : undefined;
}

/** Returns the kind of members of a record: editions of works, works of authors. */
function membersOf(key: string, prefix: string): "works" | "editions" | undefined {
  if (idOfKey(key, prefix) === undefined) return undefined;
  if (key.endsWith("W")) return "editions";
  return key.endsWith("A") ? "works" : undefined;
}
