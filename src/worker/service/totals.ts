import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { countAccounts, countLogins } from "../../db/accounts/read.ts";
import { readTotals } from "../../db/service/totals.ts";
import { ALL, between } from "../../search/query/query.ts";
import { derived } from "../http/derived-answers.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { type Reply, json } from "../http/reply.ts";
import { STATS_DAYS, loansPerDay, periodOf } from "../lending/loan-stats.ts";
import { countsJson } from "../patrons/reading/answers.ts";
import { askIndex } from "../search/guarded.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { moment, number } from "../ui/words.ts";

/** How long clients may keep statistics. */
export const STATS_CONTROL = "public, max-age=60";

const totalsSchema = z.object({
  works: z.int(),
  editions: z.int(),
  authors: z.int(),
  subjects: z.int(),
  lists: z.int(),
  series: z.int(),
  ebooks: z.int().describe("Works that can be read or borrowed"),
  members: z.int(),
  changes: z.int(),
  recent: z.object({ days: z.int(), changes: z.int(), logins: z.int() }),
  counted: z.string().describe("When they were counted, in UTC"),
});
type Totals = z.infer<typeof totalsSchema>;

/** `GET /stats.json`: the catalog in numbers. */
export const stats = operation({
  id: "stats",
  summary: "The catalog in numbers, counted every few hours",
  tag: "system",
  responses: { 200: { description: "Numbers", schema: totalsSchema } },
  handle: async (_input, context) => json(await catalogTotals(context), { cacheControl: STATS_CONTROL }),
});

/** `GET /stats`: the same for people, with the loans of the last days. */
export const statsPage = operation({
  id: "statsPage",
  summary: "The catalog in numbers, as a page",
  tag: "system",
  responses: {
    200: { description: "A page, or JSON for programs", schema: totalsSchema, also: ["text/html"] },
  },
  programs: stats,
  async handle(_input, context) {
    const [counted, loans] = await Promise.all([catalogTotals(context), loansOfLate(context)]);
    return totalsPage(counted, loans);
  },
});

type Day = readonly [day: string, loans: number];

async function loansOfLate(context: RequestContext): Promise<readonly Day[]> {
  const period = periodOf(`${STATS_DAYS.default}days`, context.now);
  return period === undefined ? [] : loansPerDay(context, {}, period);
}

function totalsPage(totals: Totals, loans: readonly Day[]): Reply {
  const { recent, counted } = totals;
  return page({
    title: "Statistics",
    body: markup`${table({
      caption: "The catalog",
      columns: ["What", "How many"],
      rows: [
        ["Works", number(totals.works)],
        ["Editions", number(totals.editions)],
        ["Authors", number(totals.authors)],
        ["Subjects, people, places and times", number(totals.subjects)],
        ["Works that can be read or borrowed", number(totals.ebooks)],
        ["Lists", number(totals.lists)],
        ["Series", number(totals.series)],
        ["Members", number(totals.members)],
        ["Changes", number(totals.changes)],
        [`Changes in the last ${recent.days} days`, number(recent.changes)],
        [`Members who logged in in the last ${recent.days} days`, number(recent.logins)],
      ],
    })}
<p class="hint">Counted ${moment(counted)}.</p>
${table({
  caption: `Loans in the last ${loans.length} days`,
  columns: ["Day", "Loans"],
  rows: loans.toReversed().map(([day, count]) => [day, number(count)]),
})}
<h2>More</h2><ul>
<li>${link("/stats/readinglog", "What patrons read and rate")}</li>
<li>${link("/stats/waitinglists", "Waiting lists")}</li>
<li>${link("/trending", "Trending books")}</li>
<li>${link("/recentchanges", "Recent changes")}</li>
<li>${link("/stats/lending.json?download=csv", "Loans by day as a table for spreadsheets (CSV)")}</li>
<li>${link("/stats.json", "These numbers as JSON")}</li></ul>`,
    cacheControl: STATS_CONTROL,
  });
}

/** How long totals are kept, in seconds: they look at the whole catalog. */
export const TOTALS_SECONDS = 21_600;
/** Days that count as of late. */
const RECENT_DAYS = 30;
const DAY_MS = 86_400_000;

function sinceOf(now: number): string {
  return datetimeText(now - RECENT_DAYS * DAY_MS);
}

/** The catalog in numbers, some hours old at most (Q447). */
export function catalogTotals(context: RequestContext): Promise<Totals> {
  return derived(context, {
    name: "totals:v1",
    seconds: TOTALS_SECONDS,
    make: () => countTotals(context),
  });
}

/** One round trip to the catalog and to the patrons each, and two side by side to the index. */
async function countTotals(context: RequestContext): Promise<Totals> {
  const since = sinceOf(context.now);
  const { patrons } = context.stores;
  const [records, { active }, logins, subjects, ebooks] = await Promise.all([
    readTotals(catalogReader(context), since),
    countAccounts(patrons),
    countLogins(patrons, since),
    countSubjects(context),
    countReadable(context),
  ]);
  const { works, editions, authors, lists, series, changes, newChanges } = records;
  return {
    works,
    editions,
    authors,
    subjects,
    lists,
    series,
    ebooks,
    members: active,
    changes,
    recent: { days: RECENT_DAYS, changes: newChanges, logins },
    counted: datetimeText(context.now),
  };
}

function countSubjects(context: RequestContext): Promise<number> {
  return askIndex(context, "", async (engine) => (await engine.health()).documents.subject);
}

/** As many as `/search.json?has_fulltext=true` finds. */
async function countReadable(context: RequestContext): Promise<number> {
  const search = {
    query: ALL,
    filters: [between("ebook_access", "borrowable", null)],
    editionClauses: [],
    sort: [],
    start: 0,
    rows: 0,
    withEditions: false,
  };
  const { numFound } = await askIndex(context, "", (engine) => engine.works(search));
  return numFound;
}

/** How long the number of logins is kept in KV, in seconds. */
const LOGINS_SECONDS = 3600;

/** `GET /api/monthly_logins.json`: patrons who were here in the last 30 days. */
export const monthlyLogins = operation({
  id: "monthlyLogins",
  summary: "How many patrons have logged in within 30 days",
  tag: "reading",
  responses: { 200: { description: "Each counted once", schema: z.object({ loginCount: z.int() }) } },
  async handle(_input, context) {
    const { stores, now } = context;
    const loginCount = await derived(context, {
      name: "monthly-logins:v1",
      seconds: LOGINS_SECONDS,
      make: () => countLogins(stores.patrons, sinceOf(now)),
    });
    return countsJson({ loginCount }, { isOwn: false });
  },
});
