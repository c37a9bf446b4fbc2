import * as z from "zod";

/** How an import is getting on. */
export const importSchema = z.object({
  id: z.string(),
  status: z.enum(["running", "done"]),
  total: z.int(),
  done: z.int().describe("Rows that were looked at"),
  imported: z.int(),
  created: z.string(),
  updated: z.string(),
  missing: z.array(
    z.object({
      position: z.int(),
      title: z.string(),
      author: z.string(),
      isbn: z.string().nullable(),
      problem: z.enum(["no-isbn", "not-found", "unknown-shelf"]),
    }),
  ),
});

/** The field of a file that is uploaded, or its text. */
export const csvField = z.string().describe("The file, or its text");
