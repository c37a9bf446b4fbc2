import * as z from "zod";
import type { CoverCategory } from "../../../db/covers/cover-rows.ts";
import { coversUrl } from "../../context.ts";
import { resolveCover } from "../../covers/resolve-cover.ts";
import { notFound } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { redirect } from "../../reply.ts";

const RECORD = /^\/(authors|books|works)\/([^/]+)$/;
const CATEGORIES: ReadonlyMap<string, CoverCategory> = new Map([
  ["authors", "a"],
  ["books", "b"],
  ["works", "w"],
]);

/** `GET /suggest/thumbnail?id=<key>`: the small picture of a record (lookup.md 10.1), the same that `/b/olid/…` shows (Q402). */
export const suggestThumbnail = operation({
  id: "suggestThumbnail",
  summary: "The small picture of a record",
  tag: "search",
  query: { id: z.string().default("").describe("Key of the record") },
  responses: { 302: { description: "The picture" }, 404: { description: "No such record, or no picture" } },
  async handle({ query: { id } }, context) {
    const [, folder = "", value = ""] = RECORD.exec(id) ?? [];
    const category = CATEGORIES.get(folder);
    if (category === undefined) throw notFound();
    const number = await resolveCover(context, { category, key: "olid", value });
    if (number === undefined) throw notFound();
    return redirect(302, `${coversUrl(context)}/${category}/id/${number}-S.jpg`);
  },
});
