import * as z from "zod";
import { findTag } from "../../../db/tags/find-tag.ts";
import { catalogReader } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { redirect } from "../../reply.ts";

/** `GET /tags/-/<type>:<name>`: the tag that is called so (records.md 12). */
export const namedTag = operation({
  id: "namedTag",
  summary: "Leads to the tag of a type with a readable name",
  tag: "records",
  path: { tag: z.string().max(500).describe("`<type>:<name>`, such as `subject:science_fiction`") },
  responses: { 303: { description: "To the tag" }, 404: { description: "There is no such tag" } },
  async handle({ path: { tag } }, context) {
    const colon = tag.indexOf(":");
    const wanted = { type: tag.slice(0, Math.max(0, colon)), slug: tag.slice(colon + 1) };
    const key = colon < 0 ? undefined : await findTag(catalogReader(context), wanted);
    if (key === undefined) throw notFound();
    return redirect(303, key);
  },
});
