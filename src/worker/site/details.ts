import * as z from "zod";
import { findTag } from "../../db/records/tags.ts";
import { notFound } from "../http/errors.ts";
import { type AnyOperation, type Parameters, catalogReader, operation } from "../http/operation.ts";
import { redirect } from "../http/reply.ts";
import { streamUrl } from "../lending/reader.ts";

const ITEM = /^[a-zA-Z0-9_-]+$/;
const LEAF = /^\d{1,9}$/;

export const itemDetails = detailsOperation("itemDetails", {});
export const itemLeaf = detailsOperation("itemLeaf", {
  leaf: z.string().describe("Page number in the scan"),
});

function detailsOperation(id: string, more: Parameters): AnyOperation {
  return operation({
    id,
    summary: "Redirect to the book reader of a scan",
    tag: "lending",
    path: { item: z.string().describe("Id of the scan"), ...more },
    responses: {
      303: { description: "Redirect to the book reader" },
      404: { description: "Invalid scan id" },
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
  summary: "Redirect to a tag by type and name",
  tag: "records",
  path: { tag: z.string().max(500).describe("`<type>:<name>`, for example `subject:science_fiction`") },
  responses: { 303: { description: "Redirect to the tag" }, 404: { description: "Tag not found" } },
  async handle({ path: { tag } }, context) {
    const colon = tag.indexOf(":");
    const tagName = { type: tag.slice(0, Math.max(0, colon)), slug: tag.slice(colon + 1) };
    const key = colon < 0 ? undefined : await findTag(catalogReader(context), tagName);
    if (key === undefined) throw notFound();
    return redirect(303, key);
  },
});
