import * as z from "zod";
import { latestRecord } from "../../../catalog/document.ts";
import { readLibraries } from "../../../db/libraries/read-libraries.ts";
import { isForPeople } from "../../admin/done.ts";
import { catalogReader } from "../../context.ts";
import { operation } from "../../operation.ts";
import { librariesPage } from "../../pages/libraries/libraries-page.ts";
import { json } from "../../reply.ts";
import { integer } from "../../validation/parameters.ts";

/** Libraries in an answer: when no number is given, and at most. */
export const LIBRARIES_LIMIT = { default: 500, max: 500 };
/** How long clients may keep what libraries there are. */
const CONTROL = "public, max-age=60";

/** `GET /libraries[.json]`: the libraries that were let in (lookup.md 17.3). */
export const libraries = operation({
  id: "libraries",
  summary: "Libraries: records by key for programs, a page by country for people",
  tag: "libraries",
  query: {
    limit: integer(z.int().gte(0).lte(LIBRARIES_LIMIT.max)).default(LIBRARIES_LIMIT.default),
    offset: integer(z.int().gte(0)).default(0),
  },
  responses: {
    200: {
      // Q456: notes are left out.
      description: "Records without their notes",
      schema: z.array(z.looseObject({ key: z.string() })),
      also: ["text/html"],
    },
  },
  async handle({ query: { limit, offset } }, context) {
    // One more tells whether there is a next page.
    const rows = await readLibraries(catalogReader(context), { limit: limit + 1, offset });
    const records = rows.slice(0, limit).map(latestRecord);
    const more = { cacheControl: CONTROL, headers: { Vary: "Accept" } };
    if (!isForPeople(context)) return json(records, more);
    const next = rows.length > limit && limit > 0 ? { limit, offset: offset + limit } : undefined;
    return { ...librariesPage(records, next), cacheControl: CONTROL };
  },
});
