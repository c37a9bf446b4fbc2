import type { Sort } from "../engine.ts";

/** Seed of a random order that names none (search.md 4.4). */
const PLAIN_SEED = "1";
const RANDOM = /^random(?:\.(hourly|daily))?(?:_(.+?))?(?: (asc|desc))?$/;

/**
 * A random order by its name, such as `random`, `random desc`, `random.hourly`, `random_<seed> asc`
 * (search.md 4.4); undefined for every other name. `now` is in milliseconds since the epoch: it is the seed of
 * the hourly and daily orders, so that all readers see the same one.
 */
export function randomSort(name: string, now: number): Sort | undefined {
  const match = RANDOM.exec(name);
  if (match === null) return undefined;
  const [, period, seed, direction] = match;
  // Only an order with a seed of its own can be turned round by the hour or the day.
  if (period !== undefined && seed === undefined && direction !== undefined) return undefined;
  const base = period === undefined ? PLAIN_SEED : periodSeed(period, now);
  return {
    field: "random",
    descending: direction === "desc",
    seed: seed === undefined ? base : `${base}_${seed}`,
  };
}

/** `YYYYMMDDTHH` of an hour, `YYYYMMDD` of a day, in UTC. */
function periodSeed(period: string, now: number): string {
  const time = new Date(now).toISOString();
  const day = time.slice(0, 10).replaceAll("-", "");
  return period === "daily" ? day : `${day}T${time.slice(11, 13)}`;
}
