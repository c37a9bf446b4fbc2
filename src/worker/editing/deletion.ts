import { type CatalogRecord, keysOf, typeKey } from "../../catalog/record.ts";
import { readEditionKeys } from "../../db/records/members.ts";
import { saveChange } from "../history/save.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { notify } from "../ui/notice.ts";
import { latestOfType, latestRecords } from "./save-form.ts";

/** Returns the document of a deleted record. */
export function tombstone(key: string): CatalogRecord {
  return { key, type: { key: "/type/delete" } };
}

interface Deletion {
  readonly key: string;
  readonly comment: string | null;
}

/** Deletes an edition, and works left without one, in one change. Redirects to the work, else home. */
export async function deleteEdition(context: RequestContext, { key, comment }: Deletion): Promise<Reply> {
  const works = await liveWorks(context, await latestOfType(context, key, "/type/edition"));
  const empty: string[] = [];
  for (const work of works) if (!(await hasOtherEditions(context, work, key))) empty.push(work);
  const save = (keys: readonly string[]) =>
    saveChange(context, { documents: keys.map(tombstone), kind: "update", comment });
  await save([key, ...empty]);
  notify(context, "notice.deleted");
  // Another client may have deleted the other edition of a work meanwhile.
  const first = works.find((work) => !empty.includes(work));
  if (first === undefined) return redirect(303, "/");
  if (await hasOtherEditions(context, first, key)) return redirect(303, first);
  await save([first]);
  return redirect(303, "/");
}

/**
 * Returns the works that an edition names itself, without the targets of redirected ones, which have other editions.
 */
async function liveWorks(context: RequestContext, { works }: CatalogRecord): Promise<string[]> {
  const keys = keysOf(works);
  const records = await latestRecords(context, keys);
  return [...new Set(keys)].filter((key) => {
    const record = records.get(key)?.document;
    return record !== undefined && typeKey(record) === "/type/work";
  });
}

/** Returns true if a work has editions besides this one. */
async function hasOtherEditions({ stores }: RequestContext, work: string, edition: string): Promise<boolean> {
  const keys = await readEditionKeys(stores.catalog.withSession("first-primary"), work, 2);
  return keys.some((key) => key !== edition);
}

/** Deletes a work that has no editions; a work with editions stays as it is. */
export async function deleteEmptyWork(context: RequestContext, { key, comment }: Deletion): Promise<Reply> {
  if (await hasOtherEditions(context, key, "")) {
    notify(context, "notice.has_editions", "error");
    return redirect(303, key);
  }
  await saveChange(context, { documents: [tombstone(key)], kind: "update", comment });
  notify(context, "notice.deleted");
  return redirect(303, "/");
}
