import * as z from "zod";
import { idRangeOf } from "../../catalog/key-numbers.ts";
import { lastSegmentOf } from "../../catalog/keys.ts";
import { type DifferingEdition, readDifferingEditions } from "../../db/editing/differing-authors.ts";
import { readNames } from "../../db/records/titles.ts";
import { isForPeople } from "../http/accept.ts";
import { operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { commas, link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { t } from "../ui/words.ts";

export const DIFFERING_ADDRESS = "/merges/differing-authors";

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
export const differingAuthors = operation({
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
  async handle({ query: { after } }, context) {
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
    const suffix = isForPeople(context) ? "" : ".json";
    const next = last === undefined ? null : `${DIFFERING_ADDRESS}${suffix}?after=${last - from}`;
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
    const body = { entries, next };
    if (!isForPeople(context)) return json(body, { cacheControl: NO_STORE, headers: { Vary: "Accept" } });
    return page({ title: t("differ.title"), body: worklist(body) });
  },
});

function worklist({ entries, next }: z.output<typeof answer>): Markup {
  const rows = entries.map(({ key, title, work, authors, work_authors: workAuthors }) => [
    link(`${addressOf(key)}/edit`, title === "" ? lastSegmentOf(key) : markup`<bdi>${title}</bdi>`),
    authorLinks(authors),
    link(addressOf(work), lastSegmentOf(work)),
    authorLinks(workAuthors),
  ]);
  const columns = [
    "imports.edition",
    "differ.edition_authors",
    "member.works",
    "differ.work_authors",
  ] as const;
  const list =
    rows.length === 0
      ? markup`<p>${t("differ.none")}</p>`
      : table({ caption: t("differ.title"), columns: columns.map((name) => t(name)), rows });
  return markup`${list}${pageLinks(undefined, next ?? undefined)}`;
}

function authorLinks(authors: readonly z.output<typeof named>[]): Piece {
  return commas(authors.map(({ key, name }) => link(addressOf(key), markup`<bdi>${name}</bdi>`)));
}
