import { isUtf8 } from "node:buffer";
import { type DumpRecord, parseDumpLine } from "../../src/catalog/dumps/parse-dump-line.ts";
import { rewriteLegacyKey } from "../../src/catalog/keys.ts";
import { isSubjectSeed, seedKeyOf, seedsOfRecord } from "../../src/catalog/lists/seeds.ts";
import {
  type CatalogRecord,
  authorKeysIn,
  isGone,
  keyOf,
  keysOf,
  stringsOf,
} from "../../src/catalog/record.ts";
import { TAG_MEMBERS } from "../../src/catalog/tags.ts";
import { english } from "../../src/catalog/texts.ts";
import { SUBJECT_TYPES, subjectFolderOf, subjectSeedOf } from "../../src/search/documents/subject-key.ts";
import { subjectPageKeyOf, toSubjectTarget } from "../../src/search/present/subjects.ts";
import { EDITIONS, FLAG, FLAGS, FOLDER_OF_TYPE, KeySpaces, type Place, REVISION } from "./key-spaces.ts";
import { LINE_BYTES } from "./lines.ts";

const TYPE = /^\/type\/\w+$/;
/** First bytes of a line that hold type, key and revision. */
const HEAD_BYTES = 600;

export interface Choice {
  /** MARC codes. */
  languages: string[];
  /** Names as in addresses: `love`, `place:london`. */
  subjects: string[];
  /** Keys. */
  lists: string[];
  /** Number of works with most editions; undefined for all. */
  top: number | undefined;
  /** True to leave out editions in other languages. */
  onlyLanguages: boolean;
}

/** Chooses works while the lines of the dumps go by twice. Holds a few bytes per number of a key, for any choice. */
export class WorkChoice {
  readonly choice: Choice;
  readonly spaces: KeySpaces;
  /** Latest revisions of the named lists; without a line if deleted. */
  lists = new Map<string, { revision: number; line?: string }>();
  /** Number of editions of works that the dumps do not have. */
  orphans = 0;
  readonly #subjects: ReadonlySet<string>;
  readonly #listSubjects = new Set<string>();

  constructor(choice: Choice) {
    this.choice = choice;
    this.spaces = new KeySpaces({ countsEditions: choice.top !== undefined });
    this.#subjects = new Set(choice.subjects.map(subjectKeyIn));
  }

  /**
   * Notes the latest revision of a record, and where it redirects. `types` gets the types of records. Returns the reason
   * if the line is no record.
   */
  scan(text: Buffer | undefined, types: string[]): string | undefined {
    if (text === undefined) return `line longer than ${LINE_BYTES} bytes`;
    const { type, key } = headOf(text);
    const { lists } = this.choice;
    if (TYPE.test(type) && !FOLDER_OF_TYPE.has(type) && !isGone(type) && !lists.includes(key))
      return undefined;
    const line = parse(text);
    if (typeof line === "string") return line;
    const { revision } = line;
    if (lists.includes(key) && revision > (this.lists.get(key)?.revision ?? 0))
      this.lists.set(key, type === "/type/list" ? { revision, line: text.toString() } : { revision });
    const place = this.spaces.find(key);
    const folder = FOLDER_OF_TYPE.get(type);
    if (folder !== undefined && folder !== place?.space.folder) return `${type} with the key ${key}`;
    if (!types.includes(type)) types.push(type);
    if (place !== undefined) this.#note(place, line);
    return undefined;
  }

  #note({ space, number }: Place, { type, revision, record }: DumpRecord) {
    if (revision <= space.get(number, REVISION)) return;
    const location = type === "/type/redirect" ? keyOf(record["location"]) : undefined;
    if (location !== undefined) {
      const target = this.spaces.find(location);
      space.redirect(number, target?.space === space ? target.number : location);
    }
    const goneState = location === undefined ? 0 : FLAG.redirect;
    space.set(number, REVISION, revision);
    space.set(
      number,
      FLAGS,
      (space.get(number, FLAGS) & FLAG.paired) | (isGone(type) ? goneState : FLAG.live),
    );
  }

  /** Returns the keys of lists that the dumps do not have. */
  missingLists() {
    return this.choice.lists.filter((key) => this.lists.get(key)?.line === undefined);
  }

  /** Prepares `rate`, after `scan`: marks what the lists name. */
  readLists() {
    for (const space of this.spaces) space.sort();
    for (const { line } of this.lists.values()) {
      for (const seed of line === undefined ? [] : seedsOfRecord(JSON.parse(line.split("\t")[4] ?? ""))) {
        const name = rewriteLegacyKey(seedKeyOf(seed) ?? "");
        const place = this.spaces.resolve(name);
        if (place !== undefined) place.space.mark(place.number, FLAG.list);
        else if (isSubjectSeed(name) || name.startsWith("/subjects/")) {
          this.#listSubjects.add(subjectKeyIn(name)).add(`/subjects/${subjectNameIn(name).toLowerCase()}`);
        }
      }
    }
  }

  /** Notes what a work or an edition says for the choice. */
  rate(text: Buffer) {
    const latest = readLatest(text, this.spaces, () => true);
    if (latest?.type === "/type/edition") this.#rateEdition(latest.record, latest.place);
    else if (latest?.type === "/type/work") this.#rateWork(latest.record, latest.place);
  }

  #rateWork(work: CatalogRecord, { space, number }: Place) {
    const names = SUBJECT_TYPES.flatMap((type, at) =>
      stringsOf(work[TAG_MEMBERS[at] ?? ""]).map((name) => ({
        key: subjectPageKeyOf(type, name),
        seed: subjectSeedOf(type, name),
      })),
    );
    if (names.some(({ key }) => this.#subjects.has(key))) space.mark(number, FLAG.subject);
    const isListed =
      names.some(({ key, seed }) => this.#listSubjects.has(key) || this.#listSubjects.has(seed)) ||
      authorKeysIn(work["authors"]).some((key) => isMarked(this.spaces.resolve(key), FLAG.list));
    if (isListed) space.mark(number, FLAG.list);
  }

  #rateEdition(edition: CatalogRecord, place: Place) {
    const { onlyLanguages, top } = this.choice;
    const isFitting = this.hasLanguage(edition);
    const works = this.worksOf(edition);
    if (works.length === 0 && keysOf(edition["works"]).length > 0) this.orphans += 1;
    for (const { space, number } of works) {
      if (isFitting) space.mark(number, FLAG.language);
      if (isMarked(place, FLAG.list)) space.mark(number, FLAG.list);
      const isCounted = top !== undefined && (isFitting || !onlyLanguages);
      if (isCounted) space.set(number, EDITIONS, space.get(number, EDITIONS) + 1);
    }
  }

  hasLanguage(edition: CatalogRecord) {
    const codes = keysOf(edition["languages"]).map((key) => rewriteLegacyKey(key).replace("/languages/", ""));
    return codes.some((code) => this.choice.languages.includes(code));
  }

  /** Returns the live works of an edition, each once. */
  worksOf(edition: CatalogRecord) {
    const works = new Map<string, Place>();
    for (const key of keysOf(edition["works"])) {
      const place = this.spaces.resolve(key);
      if (place?.space.folder === "/works/") works.set(place.space.keyOf(place.number), place);
    }
    return [...works.values()];
  }

  /** Marks the chosen works, after `rate`, and returns their number. Of equally many editions, lower numbers go first. */
  chooseWorks() {
    const { languages, subjects, lists, top = Infinity } = this.choice;
    const flags =
      FLAG.live |
      (languages.length > 0 ? FLAG.language : 0) |
      (subjects.length > 0 ? FLAG.subject : 0) |
      (lists.length > 0 ? FLAG.list : 0);
    const works = [...this.spaces]
      .filter(({ folder }) => folder === "/works/")
      .sort((a, b) => (a.prefix < b.prefix ? -1 : 1));
    const fitting = function* () {
      for (const space of works) {
        for (const number of space.numbers(flags))
          yield { space, number, editions: top === Infinity ? 0 : space.get(number, EDITIONS) };
      }
    };
    const histogram = new Map<number, number>();
    for (const { editions } of fitting()) histogram.set(editions, (histogram.get(editions) ?? 0) + 1);
    // Works to choose, by number of editions.
    const shares = new Map<number, number>();
    let chosen = 0;
    for (const [editions, count] of [...histogram].sort(([a], [b]) => b - a)) {
      const share = Math.min(count, top - chosen);
      shares.set(editions, share);
      chosen += share;
    }
    for (const { space, number, editions } of fitting()) {
      const share = shares.get(editions) ?? 0;
      if (share > 0) space.mark(number, FLAG.chosen);
      shares.set(editions, share - 1);
    }
    return chosen;
  }
}

export function isMarked(place: Place | undefined, flag: number) {
  return place?.space.has(place.number, flag) === true;
}

/** Returns the record of a line if it is the latest revision, its first line, and needed; undefined otherwise. */
export function readLatest(
  text: Buffer,
  spaces: KeySpaces,
  isNeeded: (place: Place, type: string) => boolean,
): (DumpRecord & { place: Place }) | undefined {
  const { type, key, revision } = headOf(text);
  const isRedirect = type === "/type/redirect";
  const place = isRedirect || FOLDER_OF_TYPE.has(type) ? spaces.find(key) : undefined;
  if (place === undefined || (!isRedirect && FOLDER_OF_TYPE.get(type) !== place.space.folder))
    return undefined;
  const { space, number } = place;
  const isLatest =
    isMarked(place, isRedirect ? FLAG.redirect : FLAG.live) && space.get(number, REVISION) === revision;
  if (!isLatest || space.has(number, FLAG.done) || !isNeeded(place, type)) return undefined;
  const line = parse(text);
  if (typeof line === "string") return undefined;
  space.mark(number, FLAG.done);
  return { ...line, place };
}

function headOf(text: Buffer) {
  const [type = "", key = "", revision = ""] = text.toString("utf8", 0, HEAD_BYTES).split("\t", 3);
  return { type, key, revision: Number(revision) };
}

/** Parses a line as the service does. Returns the reason if it would be rejected. */
function parse(text: Buffer): DumpRecord | string {
  if (!isUtf8(text)) return "not UTF-8";
  const line = parseDumpLine(text.toString().replace(/\r$/, ""));
  return "reason" in line ? english(line.reason) : line;
}

/** Returns the name of a subject as in addresses: `love` of `/subjects/love` and `subject:love`. */
const subjectNameIn = (text: string) => text.trim().replace(/^(?:\/subjects\/)?(?:subject:)?/, "");

/** Returns the key of a subject's page. */
function subjectKeyIn(text: string) {
  const { field, value } = toSubjectTarget(subjectNameIn(text));
  return subjectFolderOf(SUBJECT_TYPES.find((type) => field === `${type}_key`) ?? "subject") + value;
}
