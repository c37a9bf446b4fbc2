import * as z from "zod";
import { shown } from "../../admin/done.ts";
import { readEditPolicy } from "../../admin/edit-policy.ts";
import { operation } from "../../operation.ts";
import { policyPage } from "../../pages/admin/settings-pages.ts";

/** `GET /admin/permissions[.json]`: who may write below the folders (records.md 10.2). */
export const adminPermissions = operation({
  id: "adminPermissions",
  summary: "Who may edit",
  tag: "administration",
  responses: {
    200: {
      description: "JSON for programs, a page for people",
      schema: z.object({
        permissions: z
          .record(z.string(), z.string().nullable())
          .describe("Permission below a folder, by its key"),
      }),
    },
  },
  handle: async (_input, context) =>
    shown(context, { permissions: await readEditPolicy(context) }, policyPage),
});
