import { folderOf } from "../../catalog/dumps/files.ts";
import { forgetMembers } from "../../db/dumps/members.ts";
import { type DumpWork, type StageStep, workFolder } from "./dump-work.ts";

/**
 * Deletes what a dump was put together of, and its files too unless they are served. What is not deleted in one step is in
 * the next one.
 */
export async function cleanDump({ stores, dump }: DumpWork): Promise<StageStep> {
  const isServed = dump.state === "published";
  const folders = isServed ? [] : [`${folderOf(dump.kind, dump.date)}/`];
  for (const prefix of [workFolder(dump), ...folders]) {
    const { objects, truncated } = await stores.archive.list({ prefix });
    if (objects.length > 0) await stores.archive.delete(objects.map(({ key }) => key));
    if (truncated) return { position: {} };
  }
  await forgetMembers(stores.catalog, dump.id, !isServed);
  return { position: null };
}
