import * as z from "zod";

/** A record as it is read: members of its own besides these. */
const recordSchema = z.looseObject({
  key: z.string(),
  type: z.object({ key: z.string() }),
  revision: z.int(),
  latest_revision: z.int().optional(),
});

const historyRow = z.looseObject({
  key: z.string(),
  revision: z.int(),
  id: z.int(),
  action: z.string(),
  comment: z.string().nullable(),
  created: z.string(),
  author: z.string().nullable(),
});
const difference = z.strictObject({ a: recordSchema.nullable(), b: recordSchema });

/** What `m` asks for: the record, the rows of its history, or two of its revisions. */
export const recordAnswer = z.union([recordSchema, z.array(historyRow), difference]);

/** Media types of a record besides JSON: the suffix, `Accept` and the parameter `text` choose. */
export const RECORD_FORMS = ["text/html", "text/plain", "text/x-yaml", "application/rdf+xml"];
