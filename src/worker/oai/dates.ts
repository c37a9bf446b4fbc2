import { datetimeMilliseconds, datetimeText } from "../../catalog/datetime.ts";
import type { HarvestSpan } from "../../db/history/harvest.ts";
import type { Arguments } from "./arguments.ts";
import { badArgument } from "./errors.ts";

/**
 * Q592: how long after a change harvests show it, in milliseconds. That time is its date: by then it is stored, and every
 * copy of the database has it. So whoever asks for what is dated from his last harvest on misses nothing, whatever the
 * order in which changes were stored.
 */
const SETTLED_MS = 60_000;
const DAY_MS = 86_400_000;
const SECOND_MS = 1000;

/** The date of what a change made, to the second, by the time of the change (naive UTC). */
export function datestamp(changed: string): string {
  return utc(datetimeMilliseconds(changed) + SETTLED_MS);
}

/** A moment as the protocol writes it. */
export function utc(milliseconds: number): string {
  return `${datetimeText(milliseconds).slice(0, 19)}Z`;
}

const DATE = /^\d{4}-\d\d-\d\d(?<time>T\d\d:\d\d:\d\dZ)?$/;

/** A day or second: when it begins, and how long it is. Milliseconds. */
function parsed(name: string, text: string) {
  const match = DATE.exec(text);
  const length = match?.groups?.["time"] === undefined ? DAY_MS : SECOND_MS;
  const begin = match === null ? Number.NaN : Date.parse(text);
  // The 30th of February would be taken for a day of March.
  const isReal = !Number.isNaN(begin) && utc(begin).startsWith(text.slice(0, 19));
  if (!isReal) throw badArgument(`${name} is no date of the forms YYYY-MM-DD and YYYY-MM-DDThh:mm:ssZ.`);
  return { begin, length };
}

/** Changes whose dates lie between `from` and `until`, both included. */
export function spanOf(given: Arguments, now: number): HarvestSpan {
  const from = given.get("from");
  const until = given.get("until");
  const first = from === undefined ? undefined : parsed("from", from);
  const last = until === undefined ? undefined : parsed("until", until);
  if (first !== undefined && last !== undefined) {
    if (first.length !== last.length) throw badArgument("from and until are of different forms.");
    if (first.begin > last.begin) throw badArgument("from is later than until.");
  }
  const settled = datetimeText(now - SETTLED_MS);
  return {
    from: first === undefined ? "" : changedAt(first.begin),
    before: last === undefined ? settled : changedAt(last.begin + last.length),
    settled,
  };
}

/** When a change was made that has that date; years before the first are as good as the first. */
function changedAt(date: number): string {
  const time = date - SETTLED_MS;
  return time < YEAR_ZERO ? "" : datetimeText(time);
}

const YEAR_ZERO = Date.parse("0000-01-01T00:00:00Z");
