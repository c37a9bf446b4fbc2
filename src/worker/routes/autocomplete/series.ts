import * as z from "zod";
import { textOf, typeKey } from "../../../catalog/record.ts";
import type { Document } from "../../../search/engine.ts";
import { equals } from "../../../search/query/query.ts";
import { type RequestContext, catalogReader } from "../../context.ts";
import { operation } from "../../operation.ts";
import { recordsByKey } from "../../records-by-key.ts";
import { completed, completionParameters, indexed, olidIn, picked, rowsReply } from "./parameters.ts";

const SERIES = equals("list_type", "series");

/** `GET /series/_autocomplete`: series by the beginning of their name, or by their number (lookup.md 10). */
export const seriesAutocomplete = operation({
  id: "seriesAutocomplete",
  summary: "Series by the beginning of a word of their name",
  tag: "search",
  query: completionParameters,
  responses: {
    200: {
      description: "Series, the whole name first",
      schema: z.array(z.object({ key: z.string(), name: z.string().optional() })),
    },
  },
  async handle({ query: { q, limit } }, context) {
    const olid = olidIn(q, "L", context.settings.RECORD_PREFIX);
    const found =
      olid === undefined
        ? await completed({ scheme: "list", text: q, limit, filters: [SERIES] }, context)
        : await byKey(`/series/${olid}`, context);
    return rowsReply(
      found.slice(0, limit).map((document) => picked(document, ["key", "name"])),
      context,
    );
  },
});

/** The series of a key, from its record when the index has it not yet. */
async function byKey(key: string, context: RequestContext): Promise<Document[]> {
  const known = await indexed(key, context);
  if (known !== undefined) return [known];
  const record = (await recordsByKey(catalogReader(context), [key]))[key];
  if (record === undefined || typeKey(record) !== "/type/series") return [];
  return [{ key, name: textOf(record["name"]) ?? "" }];
}
