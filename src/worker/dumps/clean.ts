import * as z from "zod";
import { folderOf } from "../../catalog/dumps/files.ts";
import { forgetMembers } from "../../db/dumps/members.ts";
import { abortUpload, unfinishedSchema } from "./compose.ts";
import { type DumpWork, type StageStep, workFolder } from "./dump-work.ts";

/** What a dump that has failed was uploading. */
const positionSchema = z.object({ unfinished: unfinishedSchema.optional() });

/**
 * Deletes what a dump was put together of, and its files too unless they are served. What is not deleted in one step is in
 * the next one. An upload that was not finished is given up, so that its parts go too.
 */
export async function cleanDump({ stores, dump }: DumpWork, position: unknown): Promise<StageStep> {
  const { unfinished } = positionSchema.parse(position);
  if (unfinished !== undefined) await abortUpload(stores.archive, unfinished);
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
