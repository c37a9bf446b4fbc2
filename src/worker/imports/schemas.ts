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
  format: z
    .enum(IMPORT_FORMAT_NAMES)
    .nullable()
    .describe("Format of the file; null for lines that were sent without one"),
  size: z.int().nullable().describe("Size of the file in bytes; null without a file"),
  position: z.int().describe("Bytes of the file that are split into records"),
  records: z.int().describe("Number of records or lines split so far"),
  skipped: z.int().describe("Number of those records that were already queued"),
  state: z.enum(BATCH_STATES),
  problem: z.string().nullable(),
});
export type PublicBatch = Readonly<z.output<typeof batchSchema>>;

const itemSchema = z.object({
  id: z.int(),
  batch_id: z.int(),
  added_time: z.string(),
  import_time: z.string().nullable(),
  status: statusSchema,
  error: z.string().nullable(),
  ia_id: z.string(),
  data: z.string().nullable().describe("Record as JSON; null if absent or too long"),
  ol_key: z.string().nullable(),
  comments: z.string().nullable(),
  warnings: warningsSchema.optional(),
  submitter: z.string().nullable(),
  place: z.int().nullable().describe("Place in the file: line number, or offset of the first byte"),
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
  warned: z.int().describe("Number of items with warnings"),
  only_warned: z.boolean(),
  items: z.array(itemSchema),
});
export type BatchView = Readonly<z.output<typeof batchViewSchema>>;

export const addedSchema = z.object({
  total_submitted: z.int(),
  total_queued: z.int(),
  total_skipped: z.int(),
  items_skipped: z.array(z.string()),
});

export const submittedSchema = z.object({
  batch: z.object({ id: z.int(), name: z.string() }),
  ...addedSchema.shape,
  needs_review: z.boolean().describe("True if an administrator has to approve the records"),
});
export type Submitted = z.output<typeof submittedSchema>;

/** Days that the statistics cover. */
export const STATISTICS_DAYS = { added: 10, created: 30 };

const dateSchema = z.object({
  date: z.string(),
  counts: countsSchema,
  found: z.int().describe("Sum of `found`, `modified` and `matched`"),
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
export type ImportNumbers = Readonly<z.output<typeof numbersSchema>>;

export const stateSchema = numbersSchema.extend({
  errors: z.array(z.object({ error: z.string(), items: z.int() })),
  dead: z
    .array(importedSchema.extend({ comments: z.string().nullable() }))
    .describe("Newest items that failed within the service, with the reason"),
  splitting: z.array(batchSchema).describe("Batches with a file that is being split or could not be read"),
  batches: z.array(batchSchema).describe("Newest batches"),
});
export type ImportState = Readonly<z.output<typeof stateSchema>>;

export const daySchema = dateSchema.extend({
  items: z.array(itemSchema),
  page: z.int(),
  next: z.int().nullable(),
});
export type DayView = Readonly<z.output<typeof daySchema>>;

export const filePath = {
  name: z.string().regex(FILE_NAME).describe("Name of the batch: `<file>` or `<item>/<file>`"),
};
export const digestSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe("SHA-256 of the file, in hex");
export const importFormatSchema = z.enum(IMPORT_FORMAT_NAMES);
