import * as z from "zod";
import { textOf, typeKey } from "../../../catalog/record.ts";
import type { Document } from "../../../search/engine.ts";
import { type RequestContext, catalogReader } from "../../context.ts";
import { operation } from "../../operation.ts";
import { recordsByKey } from "../../records-by-key.ts";
import { completed, completionParameters, indexed, olidIn, picked, rowsReply } from "./parameters.ts";

const MEMBERS = ["key", "name", "alternate_names", "birth_date", "death_date", "work_count"];

/** `GET /authors/_autocomplete`: authors by the beginning of a name, or by their number (lookup.md 10). */
export const authorsAutocomplete = operation({
  id: "authorsAutocomplete",
  summary: "Authors by the beginning of a word of their name",
  tag: "search",
  query: completionParameters,
  responses: {
    200: {
      description: "Authors, the whole name first",
      schema: z.array(
        z.looseObject({
          key: z.string(),
          name: z.string().optional(),
          work_count: z.int(),
          works: z.array(z.string()).describe("The title of the work with most editions"),
          subjects: z.array(z.string()),
        }),
      ),
    },
  },
  async handle({ query: { q, limit } }, context) {
    const olid = olidIn(q, "A", context.settings.RECORD_PREFIX);
    const found =
      olid === undefined
        ? (await completed({ scheme: "author", text: q, limit }, context)).map(authorRow)
        : await byKey(`/authors/${olid}`, context);
    return rowsReply(found.slice(0, limit), context);
  },
});

function authorRow(document: Document): Document {
  const { top_work: work, top_subjects: subjects = [] } = document;
  return { ...picked(document, MEMBERS), works: work === undefined ? [] : [work], subjects };
}

/** The author of a key, from the record when the index has it not yet. */
async function byKey(key: string, context: RequestContext): Promise<Document[]> {
  const known = await indexed(key, context);
  if (known !== undefined) return [authorRow(known)];
  const record = (await recordsByKey(catalogReader(context), [key]))[key];
  if (record === undefined || typeKey(record) !== "/type/author") return [];
  const own = Object.entries({
    name: textOf(record["name"]),
    birth_date: textOf(record["birth_date"]),
    death_date: textOf(record["death_date"]),
  }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  // Q75: only such a row has a type.
  return [{ key, type: "author", ...Object.fromEntries(own), work_count: 0, works: [], subjects: [] }];
}
