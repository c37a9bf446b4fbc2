import * as z from "zod";
import { shown } from "../../accounts/page-or-json.ts";
import { importState } from "../../imports/statistics.ts";
import { operation } from "../../http/operation.ts";
import { statePage } from "../../pages/imports/state-page.ts";
import { batchSchema, importedSchema, numbersSchema } from "./schemas.ts";

/** `GET /admin/imports[.json]`: progress, rates, errors, and what could not be delivered (import.md 6.5). */
export const adminImports = operation({
  id: "adminImports",
  summary: "State of all imports",
  tag: "administration",
  responses: {
    200: {
      description: "JSON for programs, a page for people",
      schema: numbersSchema.extend({
        errors: z.array(z.object({ error: z.string(), items: z.int() })),
        dead: z
          .array(importedSchema.extend({ comments: z.string().nullable() }))
          .describe("The newest items that the service itself has failed at, and why"),
        splitting: z.array(batchSchema).describe("Batches whose files are being split, or could not be"),
        batches: z.array(batchSchema).describe("The newest"),
      }),
    },
  },
  handle: async (_input, context) => shown(context, await importState(context), statePage),
});
