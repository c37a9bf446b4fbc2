import * as z from "zod";
import { operation } from "../../operation.ts";
import { insidePage } from "../../pages/search/inside-page.ts";
import { pageNumber } from "../../people/page-number.ts";
import { INSIDE_PAGE_BOOKS } from "../../search-pages/limits.ts";
import { programAnswer } from "../../search-pages/program-answer.ts";
import { boolean } from "../../validation/parameters.ts";
import { wantsHtml } from "../../wants-html.ts";
import { findInside, insideOperation, insideParameters, insideSchema } from "../search/inside.ts";

const asJson = programAnswer(insideOperation);

/** `GET /search/inside`: books with a phrase in their text, for people; for programs the same as with `.json`. */
export const searchInsidePage = operation({
  id: "searchInsidePage",
  summary: "Search inside the texts of scanned books, as a page",
  tag: "search",
  query: {
    ...insideParameters,
    q: z.string().default("").describe("The phrase"),
    readable: boolean().catch(false).default(false).describe("Only books that can be read or borrowed"),
    page: pageNumber(),
  },
  responses: {
    200: { description: "A page, or JSON for programs", schema: insideSchema, also: ["text/html"] },
  },
  async handle({ query }, context) {
    if (!wantsHtml(context.request)) return asJson(context);
    const { q, page, readable, language } = query;
    const asked = { q, page, readable, language, limit: INSIDE_PAGE_BOOKS, facets: false };
    const found = q.trim() === "" ? undefined : await findInside(asked, context);
    return insidePage({ q, page, readable, language: language?.[0] ?? "", found });
  },
});
