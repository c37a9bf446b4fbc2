import * as z from "zod";

const status = z.enum(["created", "modified", "matched"]);
const loaded = z.object({ key: z.string(), status });

/** What imports answer (import.md 15.9, 2.6). */
export const importReply = z.object({
  success: z.literal(true),
  edition: loaded,
  work: loaded,
  authors: z.array(loaded.extend({ name: z.string() })).optional(),
  preview: z.literal(true).optional(),
  edits: z
    .array(z.looseObject({ key: z.string() }))
    .optional()
    .describe("What would be saved"),
});

/** What they answer when the record cannot be imported. */
export const importFailure = z.looseObject({
  success: z.literal(false),
  error_code: z.string().optional(),
  error: z.string(),
});

/** Answers of the previews to those who may not look, or not now. */
export const PREVIEW_REFUSALS = {
  401: { description: "Not logged in" },
  403: { description: "Neither librarian nor administrator" },
  413: { description: "The request is too large" },
  503: { description: "Read-only, or busy: try again later" },
};

/** Answers of the routes that import for programs. */
export const IMPORT_RESPONSES = {
  200: { description: "What became of the record", schema: importReply },
  400: { description: "Why it was not imported", schema: importFailure },
  403: { description: "Not allowed; no body" },
  413: { description: "The request is too large" },
  503: { description: "Read-only, busy, or the archive does not answer: try again later" },
};
