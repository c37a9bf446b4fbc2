import * as z from "zod";
import { answerDone, pageOrJson } from "../accounts/account-page.ts";
import { badData } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { POLICIES, readEditPolicy, saveEditPolicy } from "./edit-policy.ts";
import { ADMIN_BODY_BYTES, doneSchema } from "./schemas.ts";
import { policyPage } from "./settings-pages.ts";

/** `GET /admin/permissions[.json]`: who may write below the folders. */
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
    pageOrJson(context, { permissions: await readEditPolicy(context) }, policyPage),
});

const policy = z.enum([...POLICIES, ""]).optional();

/** `POST /admin/permissions`: sets who may write below the folders; those that are not named stay as they are. */
export const adminPermissionsSave = operation({
  id: "adminPermissionsSave",
  summary: "Set who may edit",
  tag: "administration",
  form: { "perm.root": policy, "perm.works": policy, "perm.books": policy, "perm.authors": policy },
  bodyBytes: ADMIN_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: { description: "Set", schema: doneSchema },
    303: { description: "For people: back to the page" },
    400: { description: "Nothing is named" },
  },
  handle({ form }, context) {
    return answerDone(context, "/admin/permissions", async () => {
      const wanted = Object.fromEntries(
        Object.entries(form).filter(([, value]) => value !== undefined && value !== ""),
      );
      if (Object.keys(wanted).length === 0) throw badData("no permission is named");
      await saveEditPolicy(context, wanted);
      return undefined;
    });
  },
});
