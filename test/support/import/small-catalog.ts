import { DEFAULT_PREFIX } from "../../../src/catalog/keys.ts";
import { type CatalogRecord, type Json, isObject, typeKeyOf } from "../../../src/catalog/record.ts";
import { makeKey } from "../../../src/catalog/key-numbers.ts";
import { prepareWrites } from "../../../src/catalog/editing/prepare.ts";
import { decide } from "../../../src/import/records/decide.ts";
import { findMissingMember } from "../../../src/catalog/editing/values.ts";
import {
  type DecideOptions,
  type Decision,
  type ImportResponse,
  COVER_TO_COME,
} from "../../../src/import/records/decision.ts";
import { prepareRecord } from "../../../src/import/records/prepare.ts";
import { lookupsOf } from "../../../src/import/records/record-lookups.ts";
import { foundIn, storedRecord } from "./found.ts";

const YEAR = 2026;
const FIRST_NUMBER = 1000;
const FIRST_COVER = 5000;
const OPTIONS: DecideOptions = {
  prefix: DEFAULT_PREFIX,
  now: Date.UTC(YEAR, 0, 15),
  fromMarc: false,
  coverHosts: ["m.media-amazon.com"],
};
const NAMES = new Map([
  ["eng", { name: "English", iso: "en", others: { de: ["Englisch"] } }],
  ["fre", { name: "French", iso: "fr", others: { fr: ["français"] } }],
  ["ger", { name: "German", iso: "de", others: { de: ["Deutsch"] } }],
  ["spa", { name: "Spanish", iso: "es", others: {} }],
  ["yid", { name: "Yiddish", iso: "yi", others: {} }],
  ["xaa", { name: "Twin", iso: "xa", others: {} }],
  ["xbb", { name: "Twin", iso: "xb", others: {} }],
]);

/** Language records; two of them have one name. */
export const LANGUAGES: readonly CatalogRecord[] = [...NAMES].map(([code, { name, iso, others }]) => ({
  key: `/languages/${code}`,
  type: { key: "/type/language" },
  name,
  identifiers: { iso_639_1: [iso] },
  name_translated: others,
}));

/** A catalog in memory, that imports go into as into the real one: decided on, checked and stored. */
export class SmallCatalog {
  readonly #records = new Map<string, CatalogRecord>();
  #number = FIRST_NUMBER;
  #cover = FIRST_COVER;

  constructor(...records: readonly CatalogRecord[]) {
    for (const record of [...LANGUAGES, ...records]) this.#records.set(String(record["key"]), record);
  }

  /** A record, or nothing but its absence. */
  get(key: string): CatalogRecord {
    return this.#records.get(key) ?? {};
  }

  /** Records of a type, in the order in which they came. */
  all(type: string): CatalogRecord[] {
    return [...this.#records.values()].filter((record) => typeKeyOf(record) === `/type/${type}`);
  }

  /** Decides on the import of a record, without storing it. */
  decide(record: CatalogRecord, options: Partial<DecideOptions> = {}): Decision {
    const prepared = prepareRecord(record, { year: YEAR });
    const found = foundIn([...this.#records.values()], lookupsOf(prepared));
    return decide(prepared, found, { ...OPTIONS, ...options });
  }

  /** Imports a record. Throws when the record store would not take a document of it. */
  load(record: CatalogRecord, options: Partial<DecideOptions> = {}): ImportResponse {
    const decision = this.decide(record, options);
    const names = new Map<Json, Json>(
      decision.created.map((made, place) => [`/__new__/${place}`, this.#newKey(made)]),
    );
    if (decision.cover !== undefined) names.set(COVER_TO_COME, this.#cover++);
    const created = decision.created.map((made, place) =>
      Object.assign({}, renamed(made, names), { key: names.get(`/__new__/${place}`) }),
    );
    const edits = decision.edits.map((edit) => renamed(edit, names));
    this.#store([...created, ...edits]);
    return renamed(decision.reply, names);
  }

  #newKey(record: CatalogRecord): string {
    this.#number += 1;
    const owner = { prefix: DEFAULT_PREFIX, number: this.#number, owner: null };
    return makeKey(typeKeyOf(record) ?? "", owner) ?? "";
  }

  #store(documents: readonly CatalogRecord[]): void {
    const { writes, failures } = prepareWrites(documents, {
      prefix: DEFAULT_PREFIX,
      stored: new Map([...this.#records].map(([key, record]) => [key, storedRecord(record)])),
      referenceTypes: new Map([...this.#records].map(([key, record]) => [key, typeKeyOf(record) ?? ""])),
      rules: { anyKey: false, mayDelete: false, mayCreate: () => true },
    });
    const missing = documents.flatMap((document) => findMissingMember(document) ?? []);
    if (failures.length + missing.length > 0) throw new Error(JSON.stringify([...failures, ...missing]));
    for (const { key, type, members, before } of writes) {
      const revision = (before?.revision ?? 0) + 1;
      this.#records.set(key, { key, type: { key: type }, ...members, revision });
    }
  }
}

/** A copy in which some texts and numbers are others. */
function renamed<Value>(value: Value, names: ReadonlyMap<Json, Json>): Value {
  // A copy has the shape of the original; what is exchanged has its type.
  return copied(value as Json, names) as Value;
}

function copied(value: Json, names: ReadonlyMap<Json, Json>): Json {
  if (Array.isArray(value)) return value.map((element) => copied(element, names));
  if (!isObject(value)) return names.get(value) ?? value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member = null]) => [name, copied(member, names)]),
  );
}
