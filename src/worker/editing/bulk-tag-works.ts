import { failure } from "../http/failure.ts";
import * as z from "zod";
import { lastSegmentOf, parseOlid } from "../../catalog/keys.ts";
import { type Tags, TAG_MEMBERS, applyTags } from "../../catalog/tags.ts";
import { type CatalogRecord, typeKeyOf } from "../../catalog/record.ts";
import { editRecords } from "./edit-records.ts";
import { operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { splitCommas } from "./merge-note.ts";

const BULK_WORKS_MAX = 1000;
/** Maximum number of tags per member, and length of a tag in UTF-16 units. */
const BULK_TAGS_MAX = 100;
const TAG_LENGTH = 500;

const tagText = z
  .string()
  .max(TAG_LENGTH)
  .refine((tag) => tag.isWellFormed());
const texts = z.array(tagText).max(BULK_TAGS_MAX).optional();
const tags = z.object(Object.fromEntries(TAG_MEMBERS.map((member) => [member, texts])));

export const bulkTagWorks = operation({
  id: "bulkTagWorks",
  summary: "Tag several works",
  tag: "editing",
  form: {
    work_ids: z.string().describe("Work numbers, comma-separated"),
    tags_to_add: z
      .string()
      .default("{}")
      .describe("JSON object of arrays to add: `subjects`, `subject_people`, …"),
    tags_to_remove: z.string().default("{}").describe("JSON object of arrays to remove"),
  },
  responses: {
    200: { description: "All works are tagged", schema: z.object({ success: z.string() }) },
    400: { description: "Invalid works or tags; nothing is saved" },
  },
  async handle({ form }, context) {
    const named = splitCommas(form.work_ids).map((id) => {
      const olid = parseOlid(lastSegmentOf(id), context.settings.RECORD_PREFIX);
      if (olid?.kind !== "work") throw failure("bad_data.work_number", { value: id });
      return `/works/${olid.olid}`;
    });
    if (named.length === 0) throw failure("bad_data.missing_value", { name: "work_ids" });
    if (named.length > BULK_WORKS_MAX) throw failure("bad_data.too_many", { most: BULK_WORKS_MAX });
    const keys = [...new Set(named)];
    const add = parseTags(form.tags_to_add, "tags_to_add");
    const remove = parseTags(form.tags_to_remove, "tags_to_remove");
    await editRecords(context, keys, (records) => ({
      documents: keys.map((key) => applyTags(workOf(key, records), { add, remove })),
      kind: "bulk-edit-work-tags",
      comment: "Bulk tagging works",
    }));
    return json({ success: "Tagged works successfully" }, { cacheControl: NO_STORE });
  },
});

function parseTags(text: string, name: string): Tags {
  let changes: unknown;
  try {
    changes = text === "" ? {} : JSON.parse(text);
  } catch (error) {
    throw failure("bad_data.field_json", { name, reason: String(error) });
  }
  const parsed = tags.safeParse(changes);
  if (!parsed.success) throw failure("bad_data.tag_changes", { name });
  return parsed.data;
}

function workOf(key: string, records: ReadonlyMap<string, CatalogRecord>): CatalogRecord {
  const work = records.get(key);
  // Q124: all works are tagged, or none.
  if (work === undefined) throw failure("bad_data.no_record", { key }, { members: { key } });
  const type = typeKeyOf(work);
  if (type !== "/type/work") {
    const values = { expected: "/type/work", found: type ?? "nothing" };
    throw failure("bad_data.type_expected", values, { members: { at: { key } } });
  }
  return work;
}
