import { datetimeText } from "../../catalog/datetime.ts";
import { countAccounts } from "../../db/patrons/count-accounts.ts";
import { countLogins } from "../../db/patrons/count-logins.ts";
import { readTotals } from "../../db/stats/totals.ts";
import { ALL, between } from "../../search/query/query.ts";
import { derived } from "../answers/derived.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { engineOf } from "../search/engine-of.ts";
import { guarded } from "../search/guarded.ts";

/** How long totals are kept, in seconds: they look at the whole catalog. */
export const TOTALS_SECONDS = 21_600;
/** Days that count as of late. */
export const RECENT_DAYS = 30;
const DAY_MS = 86_400_000;

/** The catalog in numbers. */
export interface Totals {
  readonly works: number;
  readonly editions: number;
  readonly authors: number;
  readonly subjects: number;
  readonly lists: number;
  readonly series: number;
  /** Works that can be read or borrowed. */
  readonly ebooks: number;
  readonly members: number;
  readonly changes: number;
  readonly recent: { readonly days: number; readonly changes: number; readonly logins: number };
  /** When they were counted, in naive UTC. */
  readonly counted: string;
}

/** The catalog in numbers, some hours old at most (Q447). */
export function catalogTotals(context: RequestContext): Promise<Totals> {
  return derived(context.stores.cache, {
    name: "totals:v1",
    seconds: TOTALS_SECONDS,
    make: () => countTotals(context),
    waitUntil: (promise) => context.waitUntil(promise),
  });
}

/** One round trip to the catalog and to the patrons each, and two side by side to the index. */
async function countTotals(context: RequestContext): Promise<Totals> {
  const since = datetimeText(context.now - RECENT_DAYS * DAY_MS);
  const patrons = context.stores.patrons.withSession("first-unconstrained");
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
  return guarded(async () => (await (await engineOf(context)).health()).documents.subject, "");
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
  const { numFound } = await guarded(async () => (await engineOf(context)).works(search), "");
  return numFound;
}
