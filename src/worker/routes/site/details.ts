import * as z from "zod";
import { notFound } from "../../errors.ts";
import { streamUrl } from "../../lending/reader.ts";
import { type AnyOperation, type Parameters, operation } from "../../operation.ts";
import { redirect } from "../../reply.ts";

const ITEM = /^[a-zA-Z0-9_-]+$/;
const LEAF = /^\d{1,9}$/;

/** `GET /details/<item>`: where a scan is read (lookup.md 17.1). */
export const itemDetails = details("itemDetails", {});
/** `GET /details/<item>/leaf<n>`: the same, at a page. */
export const itemLeaf = details("itemLeaf", { leaf: z.string().describe("Number of the page") });

function details(id: string, more: Parameters): AnyOperation {
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
      const { item, leaf } = asked.parse(path);
      // Q451: whether there is such a scan is for the reader to say.
      if (!ITEM.test(item) || (leaf !== undefined && !LEAF.test(leaf))) throw notFound();
      const place = leaf === undefined ? "" : `#page/n${Number(leaf)}`;
      return redirect(303, streamUrl(context, item) + place);
    },
  });
}

const asked = z.object({ item: z.string(), leaf: z.string().optional() });
