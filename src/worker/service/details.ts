import * as z from "zod";
import { findTag } from "../../db/records/tags.ts";
import { notFound } from "../http/errors.ts";
import { type AnyOperation, type Parameters, catalogReader, operation } from "../http/operation.ts";
import { redirect } from "../http/reply.ts";
import { streamUrl } from "../borrowing/reader.ts";

const ITEM = /^[a-zA-Z0-9_-]+$/;
const LEAF = /^\d{1,9}$/;

export const itemDetails = detailsOperation("itemDetails", {});
export const itemLeaf = detailsOperation("itemLeaf", { leaf: z.string().describe("Number of the page") });

function detailsOperation(id: string, more: Parameters): AnyOperation {
  return operation({
    id,
    summary: "Leads to the reader of a scan",
    tag: "lending",
    path: { item: z.string().describe("Id of the scan"), ...more },
    responses: {
      303: { description: "To the reader" },
      404: { description: "No scan can be called so" },
    },
    handle({ path }, context) {
      const { item, leaf } = place.parse(path);
      // Q451: only the reader knows if the scan exists.
      if (!ITEM.test(item) || (leaf !== undefined && !LEAF.test(leaf))) throw notFound();
      const fragment = leaf === undefined ? "" : `#page/n${Number(leaf)}`;
      return redirect(303, streamUrl(context, item) + fragment);
    },
  });
}

const place = z.object({ item: z.string(), leaf: z.string().optional() });

export const namedTag = operation({
  id: "namedTag",
  summary: "Leads to the tag of a type with a readable name",
  tag: "records",
  path: { tag: z.string().max(500).describe("`<type>:<name>`, such as `subject:science_fiction`") },
  responses: { 303: { description: "To the tag" }, 404: { description: "No such tag" } },
  async handle({ path: { tag } }, context) {
    const colon = tag.indexOf(":");
    const tagName = { type: tag.slice(0, Math.max(0, colon)), slug: tag.slice(colon + 1) };
    const key = colon < 0 ? undefined : await findTag(catalogReader(context), tagName);
    if (key === undefined) throw notFound();
    return redirect(303, key);
  },
});
