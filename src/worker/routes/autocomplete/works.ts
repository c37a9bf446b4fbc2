import * as z from "zod";
import { textOf, typeKey } from "../../../catalog/record.ts";
import type { Document } from "../../../search/engine.ts";
import { type RequestContext, catalogReader } from "../../context.ts";
import { operation } from "../../operation.ts";
import { recordsByKey } from "../../records-by-key.ts";
import { completed, completionParameters, indexed, olidIn, picked, rowsReply } from "./parameters.ts";

const MEMBERS = ["key", "title", "subtitle", "cover_i", "first_publish_year", "author_name", "edition_count"];

/** `GET /works/_autocomplete`: works by the beginning of their title, or by their number (lookup.md 10). */
export const worksAutocomplete = operation({
  id: "worksAutocomplete",
  summary: "Works by the beginning of a word of their title",
  tag: "search",
  query: completionParameters,
  responses: {
    200: {
      description: "Works, the whole title first",
      schema: z.array(z.looseObject({ key: z.string(), full_title: z.string(), name: z.string() })),
    },
  },
  async handle({ query: { q, limit } }, context) {
    const olid = olidIn(q, "W", context.settings.RECORD_PREFIX);
    const found =
      olid === undefined
        ? await completed({ scheme: "work", text: q, limit }, context)
        : await byKey(`/works/${olid}`, context);
    return rowsReply(found.slice(0, limit).map(workRow), context);
  },
});

function workRow(document: Document): Document {
  const title = textOf(document["title"]) ?? "";
  const subtitle = textOf(document["subtitle"]);
  const fullTitle = subtitle === undefined ? title : `${title}: ${subtitle}`;
  return { ...picked(document, MEMBERS), full_title: fullTitle, name: title };
}

/** The work of a key, from its record when the index has it not yet. */
async function byKey(key: string, context: RequestContext): Promise<Document[]> {
  const known = await indexed(key, context);
  if (known !== undefined) return [known];
  const record = (await recordsByKey(catalogReader(context), [key]))[key];
  if (record === undefined || typeKey(record) !== "/type/work") return [];
  const subtitle = textOf(record["subtitle"]);
  const title = textOf(record["title"]) ?? "";
  return [subtitle === undefined ? { key, title } : { key, title, subtitle }];
}
