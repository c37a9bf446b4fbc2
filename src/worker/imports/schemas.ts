import * as z from "zod";
import { IMPORT_FORMAT_NAMES } from "../../import/formats.ts";
import { BATCH_STATES, ITEM_STATUSES } from "../../import/statuses.ts";
import { warningsSchema } from "./import-responses.ts";
import { FILE_NAME } from "./stored-file.ts";

const statusSchema = z.enum(ITEM_STATUSES);
const countsSchema = z.partialRecord(statusSchema, z.int());

export const batchSchema = z.object({
  id: z.int(),
  name: z.string(),
  submitter: z.string().nullable(),
  submit_time: z.string(),
  format: z.enum(IMPORT_FORMAT_NAMES).nullable().describe("Of its file; null when its items came with it"),
  size: z.int().nullable().describe("Of its file, in bytes"),
  position: z.int().describe("How far its file has been split, in bytes"),
  records: z.int().describe("Records, or lines, split so far"),
  skipped: z.int().describe("Those of them that were items already"),
  state: z.enum(BATCH_STATES),
  problem: z.string().nullable(),
});

const itemSchema = z.object({
  id: z.int(),
  batch_id: z.int(),
  added_time: z.string(),
  import_time: z.string().nullable(),
  status: statusSchema,
  error: z.string().nullable(),
  ia_id: z.string(),
  data: z
    .string()
    .nullable()
    .describe("JSON text of the record; null when there is none, or a very long one"),
  ol_key: z.string().nullable(),
  comments: z.string().nullable(),
  warnings: warningsSchema.optional(),
  submitter: z.string().nullable(),
  place: z.int().nullable().describe("Position in the file: line number, or offset of the first byte"),
});

const importedSchema = itemSchema
  .pick({ id: true, batch_id: true, added_time: true, status: true, error: true, ia_id: true, ol_key: true })
  .extend({ import_time: z.string() });

export const batchViewSchema = z.object({
  batch: batchSchema,
  counts: countsSchema,
  total: z.int(),
  page: z.int(),
  limit: z.int(),
  sort: z.string(),
  status: statusSchema.nullable(),
  warned: z.int().describe("Items with warnings"),
  only_warned: z.boolean(),
  items: z.array(itemSchema),
});

export const addedSchema = z.object({
  total_submitted: z.int(),
  total_queued: z.int(),
  total_skipped: z.int(),
  items_skipped: z.array(z.string()),
});

export const dateSchema = z.object({
  date: z.string(),
  counts: countsSchema,
  found: z.int().describe("`found`, `modified` and `matched` together"),
});

export const numbersSchema = z.object({
  pending: z.int(),
  processing: z.int(),
  imported_last_hour: z.int(),
  eta_hours: z.number().nullable(),
  by_date: z.array(dateSchema),
  created_by_day: z.array(z.object({ date: z.string(), items: z.int() })),
  last: z.array(importedSchema),
});

export const stateSchema = numbersSchema.extend({
  errors: z.array(z.object({ error: z.string(), items: z.int() })),
  dead: z
    .array(importedSchema.extend({ comments: z.string().nullable() }))
    .describe("The newest items that the service itself has failed at, and why"),
  splitting: z.array(batchSchema).describe("Batches whose files are being split, or could not be"),
  batches: z.array(batchSchema).describe("The newest"),
});

export const daySchema = dateSchema.extend({
  items: z.array(itemSchema),
  page: z.int(),
  next: z.int().nullable(),
});

export const filePath = {
  name: z.string().regex(FILE_NAME).describe("`<file>` or `<item>/<file>`: name of the batch"),
};
export const digestSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe("SHA-256 of the file, in hex");
export const formatSchema = z.enum(IMPORT_FORMAT_NAMES);
