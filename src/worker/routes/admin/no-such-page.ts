import * as z from "zod";
import { notFound } from "../../errors.ts";
import { operation } from "../../operation.ts";

/** Everything else below `/admin`: it is no key of a record that anybody could read. */
export const noAdminPage = operation({
  id: "noAdminPage",
  summary: "Everything else below /admin: not found",
  tag: "administration",
  path: { rest: z.string() },
  inReadOnly: true,
  responses: { 404: { description: "Always" } },
  handle: () => {
    throw notFound();
  },
});
