import { rewriteLegacyKey } from "../../src/catalog/keys.ts";
import { REDIRECT_HOPS_MAX } from "../../src/catalog/record.ts";
import { type Frame, appendFrame } from "./frames.ts";

/** Numbers in a page. Numbers are given out in sequence, so that most pages are full. */
const PAGE = 4096;
/** Positions in the bytes of a number: flags, latest revision, and number of editions of a work. */
export const [FLAGS, REVISION, EDITIONS] = [0, 1, 2];
/** Largest value that a byte holds itself: larger ones are in a map, which few records need. */
const LARGE = 255;
/** Flags of a number. `paired` means that its first redirect is among the pairs. */
export const FLAG = {
  live: 1,
  redirect: 2,
  done: 4,
  chosen: 8,
  language: 16,
  subject: 32,
  list: 64,
  paired: 128,
} as const;

/** Folders of the keys of each type, and the letter of these keys. */
const TYPES = [
  { type: "/type/work", folder: "/works/", letter: "W" },
  { type: "/type/edition", folder: "/books/", letter: "M" },
  { type: "/type/author", folder: "/authors/", letter: "A" },
  { type: "/type/series", folder: "/series/", letter: "L" },
  { type: "/type/tag", folder: "/tags/", letter: "T" },
  { type: "/type/publisher", folder: "/publishers/", letter: "P" },
];
export const FOLDER_OF_TYPE = new Map(TYPES.map(({ type, folder }) => [type, folder]));
const LETTER_OF_FOLDER = new Map(TYPES.map(({ folder, letter }) => [folder, letter]));
const KEY = /^(\/[a-z]+\/)([A-Z]{2})([1-9]\d{0,14})([A-Z])$/;
/** Numbers of redirects in pairs are below this. */
const PAIRED_MAX = 2 ** 32;
const PAIRS_GROWTH = 1.25;

/** Number in a space. */
export interface Place {
  space: KeySpace;
  number: number;
}

/** Facts about the numbers of one folder and prefix, such as `/works/OL…W`, in two or three bytes each. */
export class KeySpace {
  readonly folder: string;
  readonly prefix: string;
  readonly #bytes: number;
  readonly #pages = new Map<number, Uint8Array>();
  #large = new Map<number, number>();
  /** Targets of redirects with their sources in the upper half: 8 bytes each. Sorted by `sort`. */
  #pairs = new BigUint64Array(1024);
  #pairCount = 0;
  /** Targets in another space, of very large numbers, and of numbers redirected more than once. */
  #otherTargets = new Map<number, string>();

  constructor(folder: string, prefix: string, bytes: number) {
    this.folder = folder;
    this.prefix = prefix;
    this.#bytes = bytes;
  }

  get(number: number, field: number) {
    const value = this.#pages.get(Math.floor(number / PAGE))?.[(number % PAGE) * this.#bytes + field] ?? 0;
    return value === LARGE && field !== FLAGS
      ? (this.#large.get(number * this.#bytes + field) ?? value)
      : value;
  }

  set(number: number, field: number, value: number) {
    const index = Math.floor(number / PAGE);
    let page = this.#pages.get(index);
    if (page === undefined) this.#pages.set(index, (page = new Uint8Array(PAGE * this.#bytes)));
    page[(number % PAGE) * this.#bytes + field] = Math.min(value, LARGE);
    if (value >= LARGE && field !== FLAGS) this.#large.set(number * this.#bytes + field, value);
  }

  has(number: number, flag: number) {
    return (this.get(number, FLAGS) & flag) === flag;
  }

  mark(number: number, flag: number) {
    this.set(number, FLAGS, this.get(number, FLAGS) | flag);
  }

  /** Removes a flag from all numbers. */
  clear(flag: number) {
    for (const page of this.#pages.values()) {
      for (let at = FLAGS; at < page.length; at += this.#bytes) page[at] = (page[at] ?? 0) & ~flag;
    }
  }

  /** Yields the numbers that have all of the flags, in ascending order. */
  *numbers(flags: number) {
    for (const index of [...this.#pages.keys()].sort((a, b) => a - b)) {
      const page = this.#pages.get(index) ?? [];
      for (let at = 0; at < PAGE; at += 1) {
        if (((page[at * this.#bytes] ?? 0) & flags) === flags) yield index * PAGE + at;
      }
    }
  }

  /** Stores the target of a redirect: its number in this space, or its key. */
  redirect(from: number, to: number | string) {
    if (typeof to === "string" || Math.max(from, to) >= PAIRED_MAX || this.has(from, FLAG.paired)) {
      this.#otherTargets.set(from, typeof to === "string" ? to : this.keyOf(to));
      return;
    }
    if (this.#pairCount === this.#pairs.length) {
      const larger = new BigUint64Array(Math.ceil(this.#pairs.length * PAIRS_GROWTH));
      larger.set(this.#pairs);
      this.#pairs = larger;
    }
    this.#pairs[this.#pairCount] = (BigInt(from) << 32n) | BigInt(to);
    this.#pairCount += 1;
    this.mark(from, FLAG.paired);
  }

  sort() {
    this.#pairs.subarray(0, this.#pairCount).sort();
  }

  /** Returns the target of a redirect, after `sort`. */
  targetOf(from: number): number | string | undefined {
    const other = this.#otherTargets.get(from);
    if (other !== undefined || !this.has(from, FLAG.paired)) return other;
    const source = BigInt(from);
    let [low, high] = [0, this.#pairCount];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#pairs[middle] ?? 0n) >> 32n < source) low = middle + 1;
      else high = middle;
    }
    return Number((this.#pairs[low] ?? 0n) & 0xffff_ffffn);
  }

  keyOf(number: number) {
    return `${this.folder}${this.prefix}${number}${LETTER_OF_FOLDER.get(this.folder)}`;
  }

  /** Appends the state of the space to a file. */
  save(file: number) {
    const { folder, prefix } = this;
    const maps = { large: [...this.#large], otherTargets: [...this.#otherTargets] };
    const pairs = this.#pairs.subarray(0, this.#pairCount);
    appendFrame(file, { folder, prefix, ...maps }, new Uint8Array(pairs.buffer, 0, pairs.byteLength));
    for (const [page, bytes] of this.#pages) appendFrame(file, { folder, prefix, page }, bytes);
  }

  /** Takes over a part of a saved state. */
  restore({ head, bytes }: Frame) {
    if (head.page !== undefined) this.#pages.set(head.page, bytes);
    else {
      this.#large = new Map(head.large);
      this.#otherTargets = new Map(head.otherTargets);
      this.#pairs = new BigUint64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
      this.#pairCount = this.#pairs.length;
    }
  }
}

/** Spaces of all keys. */
export class KeySpaces {
  readonly #spaces = new Map<string, KeySpace>();
  readonly #workBytes: number;

  constructor({ countsEditions }: { countsEditions: boolean }) {
    this.#workBytes = countsEditions ? 3 : 2;
  }

  [Symbol.iterator]() {
    return this.#spaces.values();
  }

  space(folder: string, prefix: string) {
    const known = this.#spaces.get(folder + prefix);
    if (known !== undefined) return known;
    const space = new KeySpace(folder, prefix, folder === "/works/" ? this.#workBytes : 2);
    this.#spaces.set(folder + prefix, space);
    return space;
  }

  /** Returns the place of a numbered key, also under a legacy folder; undefined for other keys. */
  find(key: string): Place | undefined {
    const [, folder = "", prefix = "", digits, letter] = KEY.exec(rewriteLegacyKey(key)) ?? [];
    if (letter === undefined || LETTER_OF_FOLDER.get(folder) !== letter) return undefined;
    return { space: this.space(folder, prefix), number: Number(digits) };
  }

  /** Returns the place of the live record that a key leads to, through redirects as far as the service follows them. */
  resolve(key: string): Place | undefined {
    let place = this.find(key);
    for (let hop = 0; hop <= REDIRECT_HOPS_MAX && place !== undefined; hop += 1) {
      const { space, number } = place;
      if (space.has(number, FLAG.live)) return place;
      const target = space.has(number, FLAG.redirect) ? space.targetOf(number) : undefined;
      place = typeof target === "number" ? { space, number: target } : this.find(target ?? "");
    }
    return undefined;
  }
}
