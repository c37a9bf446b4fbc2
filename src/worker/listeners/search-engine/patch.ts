import type { Json } from "../../../catalog/record.ts";
import { patchCounts, patchTrending } from "../../../db/search/patch.ts";
import type { WorkCounts } from "../../../search/documents/types.ts";
import type { Document } from "../../../search/engine.ts";
import { workIdOfKey } from "../../../search/index/ids.ts";
import type { Trending } from "../../../search/index/stored.ts";
import { UnusableDocument, countOf, wholeOf } from "../../../search/solr/members.ts";
import type { UpdateTarget } from "./update.ts";

/** New values of numeric fields of a work. */
interface Patch {
  readonly key: string;
  readonly values: Readonly<Record<string, number>>;
}

const COUNT =
  /^(?:ratings_count_[1-5]|(?:want_to_read|currently_reading|already_read|stopped_reading)_count)$/;
const TRENDING = /^trending_(?:z_score|score_hourly_sum|score_hourly_\d{1,2}|score_daily_\d)$/;
/** What follows from the counts: taken, and computed anew. */
const DERIVED = /^(?:ratings_(?:count|average|sortable)|readinglog_count)$/;
const HOURS_PER_DAY = 24;
const DAYS_PER_WEEK = 7;

/**
 * Sets counts and trending values of a work in place (search.md 12); works that the index lacks are ignored. Throws
 * UnusableDocument for other fields, documents and kinds of numbers.
 */
export async function patchWork({ key, values }: Patch, target: UpdateTarget): Promise<void> {
  const { call, generations } = target;
  const names = Object.keys(values).filter((name) => !DERIVED.test(name));
  const unknown = names.find((name) => !COUNT.test(name) && !TRENDING.test(name));
  if (unknown !== undefined) throw new UnusableDocument(`field '${unknown}' cannot be updated in place`);
  const id = workIdOfKey(key, call.settings.RECORD_PREFIX);
  if (id === undefined) throw new UnusableDocument("only works are updated in place");
  for (const name of names) check(name, values[name]);
  const [document] = await call.engine.getMany([key]);
  if (document === undefined) return;
  const patched = { ...document, ...values };
  const database = call.stores.search;
  for (const generation of generations) {
    if (names.some((name) => COUNT.test(name))) {
      await patchCounts(database, generation, [{ id, counts: countsOf(patched) }]);
    }
    if (names.some((name) => TRENDING.test(name))) {
      await patchTrending(database, generation, [{ id, trending: trendingOf(patched) }]);
    }
  }
}

/** Throws for a number that the field cannot have. */
function check(name: string, value = 0): void {
  if (COUNT.test(name)) countOf(value, name);
  else if (name !== "trending_z_score") wholeOf(value, name);
  else if (!Number.isFinite(value)) throw new UnusableDocument(`field '${name}' takes numbers`);
}

function countsOf(document: Document): WorkCounts {
  const stars = (count: number): number => numberOf(document[`ratings_count_${count}`]);
  return {
    ratings: [stars(1), stars(2), stars(3), stars(4), stars(5)],
    wantToRead: numberOf(document["want_to_read_count"]),
    currentlyReading: numberOf(document["currently_reading_count"]),
    alreadyRead: numberOf(document["already_read_count"]),
    stoppedReading: numberOf(document["stopped_reading_count"]),
  };
}

function trendingOf(document: Document): Trending {
  const slots = (name: string, length: number): number[] =>
    Array.from({ length }, (_, slot) => numberOf(document[`trending_score_${name}_${slot}`]));
  return {
    hourlySum: numberOf(document["trending_score_hourly_sum"]),
    zScore: numberOf(document["trending_z_score"]),
    slots: { hourly: slots("hourly", HOURS_PER_DAY), daily: slots("daily", DAYS_PER_WEEK) },
  };
}

function numberOf(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}
