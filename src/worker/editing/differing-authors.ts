import * as z from "zod";
import { idRangeOf } from "../../catalog/key-numbers.ts";
import { type DifferingEdition, readDifferingEditions } from "../../db/editing/differing-authors.ts";
import { readNames } from "../../db/records/titles.ts";
import { integer } from "../http/parameters.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { DIFFERING_ADDRESS, differingAuthorsPage } from "./differing-authors-page.ts";

/** Editions per page, and statements that compare editions for it. */
const DIFFERING_PAGE = 50;
const STEPS_MAX = 5;

const named = z.object({ key: z.string(), name: z.string() });
const answer = z.object({
  entries: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      work: z.string(),
      authors: z.array(named),
      work_authors: z.array(named),
    }),
  ),
  next: z.string().nullable().describe("Address of the next page, which may be empty before the last"),
});

/** `GET /merges/differing-authors`: worklist for librarians, in the order of the editions' numbers (Q820). */
export const differingAuthors = resource({
  id: "differingAuthors",
  summary: "List editions whose authors differ from their work's",
  tag: "editing",
  query: {
    after: integer(
      z
        .int()
        .gte(0)
        .lt(2 ** 40),
    )
      .default(0)
      .describe("Number of the edition to start after"),
  },
  responses: {
    200: { description: "Editions, as JSON or HTML", schema: answer, also: ["text/html"] },
  },
  async read({ query: { after } }, context) {
    const database = context.stores.catalog;
    const { from } = idRangeOf("M");
    const found: DifferingEdition[] = [];
    let end: number | undefined = from + after;
    for (let step = 0; step < STEPS_MAX && end !== undefined && found.length < DIFFERING_PAGE; step += 1) {
      const part = await readDifferingEditions(database, end);
      found.push(...part.found);
      end = part.end;
    }
    const shown = found.slice(0, DIFFERING_PAGE);
    const last = found.length > shown.length ? shown.at(-1)?.id : end;
    const authors = shown.flatMap((edition) => [...edition.authors, ...edition.workAuthors]);
    const names = await readNames(database, authors);
    const withNames = (keys: readonly string[]) => keys.map((key) => ({ key, name: names.get(key) ?? key }));
    const entries = shown.map(({ key, title, work, ...keys }) => {
      return {
        key,
        title,
        work,
        authors: withNames(keys.authors),
        work_authors: withNames(keys.workAuthors),
      };
    });
    return { entries, next: last === undefined ? undefined : `after=${last - from}` };
  },
  asJson({ entries, next }) {
    const address = next === undefined ? null : `${DIFFERING_ADDRESS}.json?${next}`;
    return json({ entries, next: address }, { cacheControl: NO_STORE });
  },
  page: differingAuthorsPage,
});
