import type { CatalogRecord } from "../../catalog/record.ts";
import { type BelowRow, readBelow, readGroups } from "../../db/records/users.ts";
import { readRecords } from "../../db/records/read.ts";
import { membersOf } from "../accounts/last-admin.ts";
import type { Jobs } from "../http/queue.ts";
import { saveAsService } from "../history/service-save.ts";

/** Records of somebody that are deleted as one change. */
export const FORGOTTEN_RECORDS = 100;
const DELETED = { key: "/type/delete" };
const LIST = "/type/list";

/**
 * Takes a user out of all groups, his own too, so that nobody writes below his key, and deletes his lists and his record
 * (patrons.md 3.10). Throws what is to be tried again, such as that somebody was faster. What is done already is not done
 * again.
 */
export async function forgetRecords(jobs: Jobs, username: string): Promise<void> {
  const key = `/people/${username}`;
  await leaveGroups(jobs, key);
  const own = new Set([`${key}/usergroup`, `${key}/permission`]);
  for (let after = ""; ;) {
    const found = await readBelow(jobs.stores.catalog, `${key}/`, { after, limit: FORGOTTEN_RECORDS });
    const last = found.at(-1);
    if (last === undefined) break;
    const gone = found.filter((row) => !own.has(row.key));
    await deleteAll(jobs, gone.filter(isList), "delete-list");
    await deleteAll(
      jobs,
      gone.filter((row) => !isList(row)),
      "delete-profile",
    );
    after = last.key;
  }
  const [user] = await readRecords(jobs.stores.catalog, [key]);
  if (user !== undefined && user.type !== DELETED.key) await deleteAll(jobs, [user], "delete-profile");
}

function isList({ type }: BelowRow): boolean {
  return type === LIST;
}

async function leaveGroups(jobs: Jobs, person: string): Promise<void> {
  const { catalog } = jobs.stores;
  const groups = await readGroups(catalog, person);
  for (const { key, revision, document } of await readRecords(catalog, groups)) {
    // What is stored went through validation when it was written.
    const stored = JSON.parse(document) as CatalogRecord;
    const members = membersOf(stored)
      .filter((member) => member !== person)
      .map((member) => ({ key: member }));
    const kind = "edit-usergroup-delete-member";
    await saveAsService(jobs, { kind, documents: [{ ...stored, members }], expected: { [key]: revision } });
  }
}

async function deleteAll(
  jobs: Jobs,
  found: readonly Pick<BelowRow, "key" | "revision">[],
  kind: string,
): Promise<void> {
  if (found.length === 0) return;
  const documents = found.map(({ key }) => ({ key, type: DELETED }));
  const expected = Object.fromEntries(found.map(({ key, revision }) => [key, revision]));
  await saveAsService(jobs, { kind, documents, expected });
}
