import { parseDumpLine } from "../../src/catalog/dumps/parse-dump-line.ts";
import { rewriteLegacyKey } from "../../src/catalog/keys.ts";
import { type CatalogRecord, type Json, elementsOf, isObject } from "../../src/catalog/record.ts";
import { FLAG } from "./key-spaces.ts";
import { type WorkChoice, isMarked, readLatest } from "./subset-choice.ts";

const LANGUAGE = /^\/languages\/[a-z]{3}$/;
/** Text that is a reference by itself, as in old records. */
const REFERENCE = /^\/(?:works|books|authors|series|tags|publishers|languages|[abl])\/[A-Za-z\d]+$/;
/** Key of a work in JSON, where a slash may be escaped. */
const WORK_KEY = /\/works\\?\/([A-Z]{2}\d+W)/g;

type Counts = Record<string, number>;
type Line = Pick<
  Extract<ReturnType<typeof parseDumpLine>, { key: string }>,
  "type" | "key" | "revision" | "lastModified" | "record"
>;

/** Lines of the chosen works and of all that belongs to them, while the dumps go by twice more. */
export class SubsetRecords {
  /** Written records by type, and removed references by folder. */
  counts: { written: Counts; removed: Counts } = { written: {}, removed: {} };
  readonly works: WorkChoice;
  readonly #languages: ReadonlySet<string>;
  /** Numbers of the covers and photos of written records. */
  readonly covers;

  /** `languages` are the keys of the languages that every catalog has. */
  constructor(works: WorkChoice, languages: ReadonlySet<string>) {
    this.works = works;
    this.covers = works.spaces.space("", "");
    this.#languages = languages;
  }

  /** Returns the line of an edition of a chosen work, and marks the records that chosen works and editions name. */
  takeEdition(text: Buffer) {
    const latest = readLatest(text, this.works.spaces, (place, type) =>
      type === "/type/edition"
        ? this.#namesChosenWork(text)
        : type === "/type/work" && isMarked(place, FLAG.chosen),
    );
    if (latest === undefined) return undefined;
    const { type, record, place } = latest;
    if (type === "/type/work") {
      pruneRecord(record, (key) => this.#keep(key, { isMarking: true }));
      return undefined;
    }
    const isTaken = this.works.worksOf(record).some((work) => isMarked(work, FLAG.chosen));
    if (!isTaken || (this.works.choice.onlyLanguages && !this.works.hasLanguage(record))) return undefined;
    place.space.mark(place.number, FLAG.chosen);
    return this.#toLine(text, latest, { isMarking: true });
  }

  /** Saves parsing most editions. */
  #namesChosenWork(text: Buffer) {
    return [...text.toString("latin1").matchAll(WORK_KEY)].some(([, olid = ""]) =>
      isMarked(this.works.spaces.resolve(`/works/${olid}`), FLAG.chosen),
    );
  }

  /** Returns the line of a chosen record that is no edition, or of a redirect to a chosen record. */
  takeOther(text: Buffer) {
    const { spaces } = this.works;
    const latest = readLatest(text, spaces, (place, type) => {
      const target = type === "/type/redirect" ? spaces.resolve(place.space.keyOf(place.number)) : place;
      return type !== "/type/edition" && isMarked(target, FLAG.chosen);
    });
    return latest && this.#toLine(text, latest);
  }

  /** Returns the lines of the named lists. */
  takeLists() {
    return [...this.works.lists.values()].flatMap(({ line: text = "" }) => {
      const line = parseDumpLine(text);
      return "reason" in line ? [] : [this.#toLine(Buffer.from(text), line)];
    });
  }

  /** Returns the key that a reference gets: its own, or that of the record it was merged into; undefined to remove it. */
  #keep(key: string, { isMarking = false } = {}): string | undefined {
    const current = rewriteLegacyKey(key);
    if (current.startsWith("/type/") || current.startsWith("/subjects/")) return key;
    if (LANGUAGE.test(current)) return this.#languages.has(current) ? key : undefined;
    const place = this.works.spaces.resolve(current);
    if (place === undefined) return undefined;
    const { space, number } = place;
    // Works and editions are chosen, other records belong to them.
    if (isMarking && space.folder !== "/works/" && space.folder !== "/books/")
      space.mark(number, FLAG.chosen);
    return space.has(number, FLAG.chosen) ? space.keyOf(number) : undefined;
  }

  /** Returns a line with its newline, unchanged if all of its references stay. */
  #toLine(
    text: Buffer,
    { type, key, revision, lastModified, record }: Line,
    options?: { isMarking: boolean },
  ) {
    const { written, removed } = this.counts;
    increment(written, type.slice("/type/".length));
    for (const id of [...elementsOf(record["covers"]), ...elementsOf(record["photos"])]) {
      if (typeof id === "number" && Number.isSafeInteger(id) && id > 0) this.covers.mark(id, FLAG.chosen);
    }
    const pruned =
      type === "/type/redirect"
        ? record
        : pruneRecord(record, (reference) => {
            const kept = this.#keep(reference, options);
            if (kept === undefined) increment(removed, reference.split("/")[1] ?? "");
            return kept;
          });
    if (pruned === record) return `${text.toString()}\n`;
    return `${[type, key, revision, lastModified, JSON.stringify(pruned)].join("\t")}\n`;
  }
}

function increment(counts: Counts, name: string) {
  counts[name] = (counts[name] ?? 0) + 1;
}

/**
 * Returns a record with the keys that `keep` returns for its references. Without a key the reference is removed, and with
 * it the object that it is in, such as the role of an author. Returns the same object if nothing changes.
 */
function pruneRecord(record: CatalogRecord, keep: (key: string) => string | undefined): CatalogRecord {
  const entries = Object.entries(record).map(
    ([name, value = null]) => [name, name === "key" ? value : pruneValue(value, keep)] as const,
  );
  if (entries.every(([name, value]) => value === record[name])) return record;
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function pruneValue(value: Json, keep: (key: string) => string | undefined): Json | undefined {
  if (typeof value === "string") return REFERENCE.test(value) ? keep(value) : value;
  if (Array.isArray(value)) return pruneList(value, keep);
  if (!isObject(value)) return value;
  const { key } = value;
  const kept = typeof key === "string" && key.startsWith("/") ? keep(key) : key;
  const pruned = pruneRecord(value, keep);
  const isBroken =
    Object.keys(pruned).length < Object.keys(value).length || (key !== undefined && kept === undefined);
  if (isBroken) return undefined;
  return kept === key ? pruned : { ...pruned, key: kept };
}

function pruneList(list: Json[], keep: (key: string) => string | undefined): Json | undefined {
  const pruned = list.map((element) => pruneValue(element, keep));
  if (pruned.every((element, at) => element === list[at])) return list;
  // Two authors may have been merged into one.
  const texts = pruned.flatMap((element) => (element === undefined ? [] : [JSON.stringify(element)]));
  return texts.length === 0 ? undefined : [...new Set(texts)].map((text): Json => JSON.parse(text));
}
