import * as z from "zod";
import { findTag } from "../../db/records/tags.ts";
import { notFound, CarrelError } from "../http/errors.ts";
import {
  type AnyOperation,
  type Parameters,
  type RequestContext,
  catalogReader,
  operation,
} from "../http/operation.ts";
import { redirect, REVALIDATE, json } from "../http/reply.ts";
import { streamUrl } from "../borrowing/reader.ts";
import { toCanonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import type { BibKey } from "../../catalog/lookup/bibkey.ts";
import { ocaidOf } from "../../catalog/lookup/bundle.ts";
import { keyOf } from "../../catalog/record.ts";
import { findByBibKeys } from "../holdings/find-editions.ts";

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

const noOffer = z.object({});

export const prices = operation({
  id: "prices",
  summary: "Prices (not available) and edition of a book",
  tag: "lookup",
  query: {
    isbn: z.string().min(10).max(13).optional(),
    asin: z.string().length(10).optional().describe("Number of a shop's product"),
  },
  responses: {
    200: {
      description: "No offers; key and scan of the edition, if there is one",
      schema: z.object({
        amazon: noOffer,
        betterworldbooks: noOffer,
        key: z.string().optional(),
        ocaid: z.string().optional(),
      }),
    },
  },
  async handle({ query: { isbn, asin } }, context) {
    if (isbn === undefined && asin === undefined) {
      // Q452: a text instead of the usual list of failures.
      throw new CarrelError(422, "validation", { message: "isbn or asin required" });
    }
    const edition = await findEdition(isbn ?? "", asin ?? "", context);
    const key = keyOf(edition);
    const ocaid = edition === undefined ? undefined : ocaidOf(edition);
    const known = { ...(key === undefined ? {} : { key }), ...(ocaid === undefined ? {} : { ocaid }) };
    return json({ amazon: {}, betterworldbooks: {}, ...known }, { cacheControl: REVALIDATE });
  },
});

/** Finds the edition by ISBN, else by the product number of the shop, which for books is their ISBN-10. */
async function findEdition(isbn: string, asin: string, context: RequestContext) {
  const isbns = [isbn, asin].flatMap((text) => toCanonicalIsbn(text) ?? []);
  const keys: BibKey[] = isbns.map((value) => ({ requested: value, kind: "isbn", value }));
  if (asin !== "") keys.push({ requested: asin, kind: "asin", value: asin });
  const [match] = await findByBibKeys(catalogReader(context), keys);
  return match?.edition;
}
