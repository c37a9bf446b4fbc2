const DAYS = { daily: 1, weekly: 7, monthly: 30, yearly: 365, forever: Number.POSITIVE_INFINITY };
const DAY_MS = 86_400_000;
const SHELVES = ["want-to-read", "currently-reading", "already-read", "stopped-reading"];
/** What stopped readers have does not trend. */
const TRENDING = new Set(SHELVES.slice(0, 3));

/** @typedef {{ work: number, shelf: string, date: string }} Entry */
/** @typedef {{ shelves: Entry[], ratings: { work: number, stars: number }[] }} Patron */

/** Counts everything that was sent by itself, to compare with what the service says. */
export class Tally {
  /** @type {Map<number, { shelves: number[], stars: number[], logged: number[] }>} */
  #works = new Map();
  rows = 0;

  /** @param {number} now milliseconds */
  constructor(now) {
    this.now = now;
  }

  /** @param {Patron} patron */
  add({ shelves, ratings }) {
    for (const { work, shelf, date } of shelves) {
      const counted = this.#of(work);
      const place = SHELVES.indexOf(shelf);
      counted.shelves[place] = (counted.shelves[place] ?? 0) + 1;
      if (TRENDING.has(shelf)) counted.logged.push(Date.parse(`${date}Z`));
      this.rows += 1;
    }
    for (const { work, stars } of ratings) {
      const counted = this.#of(work);
      counted.stars[stars - 1] = (counted.stars[stars - 1] ?? 0) + 1;
    }
  }

  works() {
    return [...this.#works.keys()];
  }

  /** @param {number} work */
  counts(work) {
    const [want_to_read, currently_reading, already_read, stopped_reading] = this.#of(work).shelves;
    return { want_to_read, currently_reading, already_read, stopped_reading };
  }

  /**
   * True when a row of counts is right.
   * @param {Record<string, unknown>} row
   */
  agrees(row) {
    const { stars } = this.#of(Number(row["work_id"]));
    const counts = Object.entries(this.counts(Number(row["work_id"])));
    return (
      counts.every(([name, value]) => row[name] === value) &&
      stars.every((value, index) => row[`ratings_${index + 1}`] === value)
    );
  }

  /**
   * Works by the number of readers in a period, ties by number.
   * @param {string} period
   * @param {{ limit: number, now: number }} options
   */
  trending(period, { limit, now }) {
    const days = DAYS[/** @type {keyof typeof DAYS} */ (period)];
    const from = now - days * DAY_MS;
    return [...this.#works]
      .map(([work, { logged }]) => ({ work, readers: logged.filter((time) => time >= from).length }))
      .filter(({ readers }) => readers > 0)
      .sort((a, b) => b.readers - a.readers || a.work - b.work)
      .slice(0, limit)
      .map(({ work }) => work);
  }

  /** @param {number} work */
  #of(work) {
    const found = this.#works.get(work) ?? { shelves: [0, 0, 0, 0], stars: [0, 0, 0, 0, 0], logged: [] };
    this.#works.set(work, found);
    return found;
  }
}
