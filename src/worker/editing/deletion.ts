import { english } from "../../catalog/texts.ts";
import { failure } from "../http/failure.ts";
import * as z from "zod";
import { type CatalogRecord, keysOf, typeKeyOf } from "../../catalog/record.ts";
import { readEditionKeys } from "../../db/records/members.ts";
import { saveChange } from "./save-change.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type Redirect, redirect, json } from "../http/reply.ts";
import { notify } from "../ui/notice.ts";
import { readLatestOfType, readLatest } from "./edit-records.ts";
import { formTextOf, nestFields } from "../../catalog/editing/form-fields.ts";
import { makeNumberedKey } from "../../catalog/keys.ts";
import { permissionFailure } from "../../catalog/editing/failure.ts";
import { writeError } from "./edit-desk.ts";
import { hasRole } from "../../catalog/roles.ts";
import { digitsOf, slug } from "../http/parameters.ts";
import { readForm } from "./submitted-form.ts";

export function tombstone(key: string): CatalogRecord {
  return { key, type: { key: "/type/delete" } };
}

interface Deletion {
  key: string;
  comment: string | null;
}

/** Deletes an edition, and works without other editions, as one change. Redirects to its work, or else to `/`. */
export async function deleteEdition(context: RequestContext, { key, comment }: Deletion): Promise<Redirect> {
  const named = keysOf((await readLatestOfType(context, key, "/type/edition"))["works"]);
  const records = await readLatest(context, named);
  // Targets of redirects have other editions.
  const works = [...new Set(named)].filter((work) => {
    const record = records.get(work)?.document;
    return record !== undefined && typeKeyOf(record) === "/type/work";
  });
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

async function hasOtherEditions({ stores }: RequestContext, work: string, edition: string): Promise<boolean> {
  const keys = await readEditionKeys(stores.catalog.withSession("first-primary"), work, 2);
  return keys.some((key) => key !== edition);
}

export async function deleteEmptyWork(
  context: RequestContext,
  { key, comment }: Deletion,
): Promise<Redirect> {
  if (await hasOtherEditions(context, key, "")) {
    notify(context, "notice.has_editions", "error");
    return redirect(303, key);
  }
  await saveChange(context, { documents: [tombstone(key)], kind: "update", comment });
  notify(context, "notice.deleted");
  return redirect(303, "/");
}

/** Number of editions that requires `bulk`; also the maximum number of documents per change. */
const BULK_EDITIONS = 1000;
/** Maximum number of changes per request; the next request continues. */
const BULK_CHANGES_MAX = 100;
const KIND = "bulk-delete-books";

export const deleteWork = operation({
  id: "deleteWork",
  summary: "Delete a work with all its editions (administrators)",
  tag: "records",
  path: { work_id: digitsOf("work"), slug },
  body: {
    contentType: "application/x-www-form-urlencoded",
    description: "`comment`; `bulk`, required for 1000 editions or more",
  },
  responses: {
    200: { description: "Deleted", schema: z.object({ status: z.literal("ok") }) },
    400: { description: "1000 editions or more without `bulk`" },
    503: { description: "More editions to delete; repeat the request" },
  },
  async handle({ path: { work_id: number } }, context) {
    const key = makeNumberedKey("work", number, context.settings.RECORD_PREFIX);
    if (!hasRole(await context.actor(), "admin")) {
      throw writeError([permissionFailure("permission_denied.delete", key)]);
    }
    const { form } = nestFields(await readForm(context));
    await readLatestOfType(context, key, "/type/work");
    // `bulk` without a value is true too.
    const isBulk = !["false", "0", "no"].includes(formTextOf(form, "bulk")?.toLowerCase() ?? "no");
    const comment = formTextOf(form, "comment") ?? null;
    for (let change = 0; change < BULK_CHANGES_MAX; change += 1) {
      const database = context.stores.catalog.withSession("first-primary");
      const editions = await readEditionKeys(database, key, BULK_EDITIONS);
      const isMore = editions.length >= BULK_EDITIONS;
      if (isMore && !isBulk) {
        const text = { key: "bad_request.too_many_editions", values: { most: BULK_EDITIONS } } as const;
        throw failure(text.key, text.values, { body: { error: english(text) } });
      }
      // Q113: the work is deleted last, so that an interrupted request can be repeated.
      const keys = isMore ? editions : [...editions, key];
      await saveChange(context, { documents: keys.map(tombstone), kind: KIND, comment });
      if (!isMore) return json({ status: "ok" });
    }
    throw failure("timeout.deletion", {}, { code: "busy", retryAfter: 1 });
  },
});
