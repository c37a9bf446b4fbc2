import type { Json } from "../catalog/record.ts";
import { decodeHeaderText } from "../catalog/bytes.ts";
import { ImportFailure } from "./failure.ts";
import type { ImportRecord } from "./record.ts";

/** Record member and operation for a field of the field table. */
type Target = readonly [member: string, operation: "set" | "append", value?: (text: string) => Json];

const TARGETS: ReadonlyMap<string, Target> = new Map<string, Target>([
  ["title", ["title", "set"]],
  ["publish_date", ["publish_date", "set"]],
  ["pagination", ["pagination", "set"]],
  ["description", ["description", "set"]],
  ["ocaid", ["ocaid", "set"]],
  ["author", ["authors", "append", (name) => ({ personal_name: name, name, entity_type: "person" })]],
  ["publisher", ["publishers", "append"]],
  ["publish_place", ["publish_places", "append"]],
  ["subject", ["subjects", "append"]],
  ["language", ["languages", "append"]],
  ["lccn", ["lccn", "append"]],
  ["isbn_10", ["isbn_10", "append"]],
  ["isbn_13", ["isbn_13", "append"]],
  ["dewey_decimal_class", ["dewey_decimal_class", "append"]],
  ["oclc_number", ["oclc_numbers", "append"]],
  ["illustrator", ["contributions", "append", (text) => `${text} (Illustrator)`]],
  ["source_record", ["source_records", "append"]],
  ["lc_classification", ["lc_classifications", "append"]],
]);

/** Vocabularies shared by the XML formats. */
export const BIBO = "http://purl.org/ontology/bibo/";
export const TERMS = "http://purl.org/dc/terms/";

export const SHARED_FIELDS: readonly (readonly [element: string, field: string])[] = [
  [`${TERMS}publisher`, "publisher"],
  [`${TERMS}issued`, "publish_date"],
  [`${TERMS}extent`, "pagination"],
  [`${TERMS}language`, "language"],
  [`${BIBO}lccn`, "lccn"],
  [`${BIBO}oclcnum`, "oclc_number"],
  ["http://RDVocab.info/elements/placeOfPublication", "publish_place"],
];

/**
 * Builder that collects a record field by field. Names come from outside, so the members are kept in a Map, which has
 * no special keys.
 */
export class RecordBuilder {
  readonly #members: Map<string, Json>;
  /** Values of the lists that grow. */
  readonly #known = new Map<readonly Json[], Set<Json>>();

  constructor(record: ImportRecord = {}) {
    this.#members = new Map();
    for (const [name, value] of Object.entries(record)) {
      // Lists grow in place, so those of the record are copied.
      if (value !== undefined) this.#members.set(name, Array.isArray(value) ? [...value] : value);
    }
  }

  /** Adds a field of the table. Ignores other fields and blank texts. */
  addKnown(name: string, text: string | undefined): void {
    if (text !== undefined && text.trim() !== "" && TARGETS.has(name)) this.add(name, text);
  }

  /** Adds a field of the table. The text of any other field is stored under its own name (Q326). */
  add(name: string, text: string): void {
    const [member, operation, value] = TARGETS.get(name) ?? [name, "set"];
    const added = value === undefined ? text : value(text);
    if (operation === "set") this.#members.set(member, added);
    else this.#append(member, added);
  }

  record(): ImportRecord {
    return Object.fromEntries(this.#members);
  }

  #append(member: string, added: Json): void {
    const present = this.#members.get(member);
    if (Array.isArray(present)) {
      // Documents repeat fields by the ten thousand: a search in the list would take quadratic time.
      const known = this.#known.get(present) ?? new Set(present);
      this.#known.set(present, known);
      if (!known.has(added)) present.push(added);
      known.add(added);
    } else if (present === undefined || present === null) this.#members.set(member, [added]);
    else throw new ImportFailure("type-error", { key: "not_imported.not_list", values: { name: member } });
  }
}

export function withHeaderFields(record: ImportRecord, fields: HeaderFields): ImportRecord {
  if (fields.length === 0) return record;
  const builder = new RecordBuilder(record);
  for (const { name, value } of fields) builder.add(name, value);
  return builder.record();
}

/** Fields that the headers of an import add to the record, in order. Names are spelled as in the field table. */
export type HeaderFields = readonly { readonly name: string; readonly value: string }[];

/** Two digits allow a name to repeat, because a request cannot repeat a header. */
const HEADER = /^x-archive-meta(\d\d)?-(.+)$/;

/**
 * Reads the fields in the headers `X-Archive-Meta-<name>` and `X-Archive-Meta<NN>-<name>`: first those without a
 * number, then by number.
 */
export function parseHeaderFields(headers: Iterable<readonly [name: string, value: string]>): HeaderFields {
  const numbered = [...headers].flatMap(([header, value]) => {
    const [, number = "", name] = HEADER.exec(header.toLowerCase()) ?? [];
    if (name === undefined) return [];
    return [{ number, field: { name: name.replaceAll("-", "_"), value: decodeHeaderText(value) } }];
  });
  return numbered
    .sort((a, b) => (a.number < b.number ? -1 : Number(a.number > b.number)))
    .map(({ field }) => field);
}
