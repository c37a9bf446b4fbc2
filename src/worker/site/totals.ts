import { DAY_MS } from "../../catalog/units.ts";
import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { countAccounts, countLogins } from "../../db/accounts/read-accounts.ts";
import { readTotals } from "../../db/service/totals.ts";
import { ALL, between } from "../../search/query/query.ts";
import { readDerived } from "../http/derived-answers.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { json } from "../http/reply.ts";
import { STATS_DAYS, loansPerDay, periodOf } from "../lending/loan-stats.ts";
import { countsJson } from "../patrons/reading/own-data.ts";
import { askIndex } from "../search/guarded.ts";
import { totalsPage } from "./totals-page.ts";

export const STATS_CONTROL = "public, max-age=60";

const totalsSchema = z.object({
  works: z.int(),
  editions: z.int(),
  authors: z.int(),
  subjects: z.int(),
  lists: z.int(),
  series: z.int(),
  ebooks: z.int().describe("Works to read or borrow"),
  members: z.int(),
  changes: z.int(),
  recent: z.object({ days: z.int(), changes: z.int(), logins: z.int() }),
  counted: z.string().describe("Time of counting, in UTC"),
});

export const stats = operation({
  id: "stats",
  summary: "Get catalog statistics, updated every few hours",
  tag: "system",
  responses: { 200: { description: "Catalog statistics", schema: totalsSchema } },
  handle: async (_input, context) => json(await catalogTotals(context), { cacheControl: STATS_CONTROL }),
});

export const statsPage = operation({
  id: "statsPage",
  summary: "Show catalog statistics",
  tag: "system",
  responses: {
    200: { description: "Page, or JSON for programs", schema: totalsSchema, also: ["text/html"] },
  },
  programs: stats,
  async handle(_input, context) {
    const period = periodOf(`${STATS_DAYS.default}days`, context.now);
    const [counted, loans] = await Promise.all([
      catalogTotals(context),
      period === undefined ? [] : loansPerDay(context, {}, period),
    ]);
    return { ...totalsPage(counted, loans), cacheControl: STATS_CONTROL };
  },
});

/** TTL of totals in seconds: counting reads the whole catalog. */
export const TOTALS_SECONDS = 21_600;
const RECENT_DAYS = 30;

function sinceOf(now: number): string {
  return formatDatetime(now - RECENT_DAYS * DAY_MS);
}

/**
 * Returns the totals of the catalog, at most some hours old (Q447). Counts with parallel reads of the catalog, the patrons
 * and the index.
 */
export function catalogTotals(context: RequestContext): Promise<z.infer<typeof totalsSchema>> {
  const { now } = context;
  const { patrons } = context.stores;
  const readable = {
    query: ALL,
    filters: [between("ebook_access", "borrowable", null)],
    editionClauses: [],
    sort: [],
    start: 0,
    rows: 0,
    withEditions: false,
  };
  return readDerived(context, {
    name: "totals:v1",
    seconds: TOTALS_SECONDS,
    isEmpty: ({ works }) => works === 0,
    async make() {
      const since = sinceOf(now);
      const [records, { active: members }, logins, subjects, { numFound: ebooks }] = await Promise.all([
        readTotals(catalogReader(context), since),
        countAccounts(patrons),
        countLogins(patrons, since),
        askIndex(context, "", async (engine) => (await engine.health()).documents.subject),
        askIndex(context, "", (engine) => engine.works(readable)),
      ]);
      const { works, editions, authors, lists, series, changes, newChanges } = records;
      const recent = { days: RECENT_DAYS, changes: newChanges, logins };
      const counts = { works, editions, authors, subjects, lists, series, ebooks, members, changes };
      return { ...counts, recent, counted: formatDatetime(now) };
    },
  });
}

const LOGINS_SECONDS = 3600;

export const monthlyLogins = operation({
  id: "monthlyLogins",
  summary: "Count the patrons who logged in within 30 days",
  tag: "reading",
  responses: { 200: { description: "Number of patrons", schema: z.object({ loginCount: z.int() }) } },
  async handle(_input, context) {
    const { stores, now } = context;
    const loginCount = await readDerived(context, {
      name: "monthly-logins:v1",
      seconds: LOGINS_SECONDS,
      make: () => countLogins(stores.patrons, sinceOf(now)),
    });
    return countsJson({ loginCount }, { isOwn: false });
  },
});
