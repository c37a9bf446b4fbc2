import type { Json } from "../../../catalog/record.ts";
import { isFalsy } from "../../record.ts";
import { type ImportWarning, type WarningCode, addWarning } from "../../warning.ts";
import { type DataField, type MarcRecord, type Subfield, MarcError } from "../record.ts";

// Subfields of one field. Empty values are ignored, except by `lowerValues`.

/** Returns the trimmed values of the subfields whose code is among `codes`, in the order of the field. */
export function subfieldValues(field: DataField, codes: string): string[] {
  const isAmong = (code: string): boolean => code.length === 1 && codes.includes(code);
  return selectValues(field, (code, value) => value !== "" && isAmong(code)).map((value) => value.trim());
}

/** Returns the values of all subfields with a code, unchanged. */
export function contentsOf(field: DataField, wantedCode: string): string[] {
  return selectValues(field, (code, value) => code === wantedCode && value !== "");
}

/** Returns the value of the first subfield with a code, unchanged. */
export function firstSubfield(field: DataField, wantedCode: string): string | undefined {
  return field.subfields.find(([code, value]) => code === wantedCode && value !== "")?.[1];
}

/** Returns the values of all subfields whose code is a lower-case letter, unchanged, except for an omitted code. */
export function lowerValues(field: DataField, omitted?: string): string[] {
  return selectValues(field, (code) => isLower(code) && code !== omitted);
}

function selectValues(
  { subfields }: DataField,
  isWanted: (code: string, value: string) => boolean,
): string[] {
  return subfields.filter(([code, value]) => isWanted(code, value)).map(([, value]) => value);
}

/** Returns true for lower-case letters of any script: a damaged MARC-8 field may have an accent on its code. */
export function isLower(code: string): boolean {
  const unit = code.charCodeAt(0);
  return unit < 0x80 ? unit >= 0x61 && unit <= 0x7a : /^\p{Lowercase}/u.test(code);
}

// 500 to 589, except contents, summary and action.
const NOTE_TAGS = Array.from({ length: 90 }, (_, index) => String(500 + index)).filter(
  (tag) => tag !== "505" && tag !== "520" && tag !== "583",
);
/** Groups of tags that are read together, in the order of the record. */
const GROUPS = {
  persons: ["100", "700"],
  organisations: ["110", "710"],
  subjects: ["600", "610", "611", "630", "648", "650", "651", "662"],
  notes: NOTE_TAGS,
};
const GROUP_OF_TAG = new Map(
  Object.entries(GROUPS).flatMap(([group, tags]) => tags.map((tag): [string, string] => [tag, group])),
);

const TITLE = "245";
/** Maximum length of a followed link (`880-01`), in characters. Longer ones are ignored. */
const LINK_LENGTH_MAX = 32;

/** Fields of a record by tag or group, collected in one pass. */
export class MarcFields {
  readonly #control = new Map<string, string>();
  readonly #data = new Map<string, DataField[]>();
  /** Fields in another script by the first characters of their link, one map per requested length. */
  readonly #linked = new Map<number, Map<string, DataField>>();

  readonly #warnings: ImportWarning[];

  /** `warnings`: list that `warn` adds to. */
  constructor(record: MarcRecord, warnings: ImportWarning[]) {
    this.#warnings = warnings;
    for (const field of record.fields) {
      try {
        if ("subfields" in field) this.#add(withoutSortingMarks(field));
        else if (!this.#control.has(field.tag)) this.#control.set(field.tag, field.value);
      } catch (error) {
        // Without its title a record is another one.
        if (!(error instanceof MarcError) || field.tag === TITLE) throw error;
        this.warn("unreadable-field", field.tag, error.message);
      }
    }
  }

  #add(field: DataField): void {
    const place = GROUP_OF_TAG.get(field.tag) ?? field.tag;
    const fields = this.#data.get(place);
    if (fields) fields.push(field);
    else this.#data.set(place, [field]);
  }

  /** Adds a warning about a value that is dropped. `place`: tag and subfield, such as `020 $a`. */
  warn(code: WarningCode, place: string, value: string): void {
    addWarning(this.#warnings, code, [place, value]);
  }

  control(tag: string): string | undefined {
    return this.#control.get(tag);
  }

  /**
   * Returns data fields in the order of the record, by tag or by group: `persons` (100, 700), `organisations` (110,
   * 710), `subjects` or `notes` (500 to 589 without three). Fields of a group are not available by tag.
   */
  of(place: string): readonly DataField[] {
    return this.#data.get(place) ?? [];
  }

  /** Finds the field with the text in another script: the first 880 that links back to the field. */
  findLinked(tag: string, link: string): DataField | undefined {
    if (link.length > LINK_LENGTH_MAX) return undefined;
    const target = link.replaceAll("880", tag);
    return this.#linksOfLength(target.length).get(target);
  }

  #linksOfLength(length: number): Map<string, DataField> {
    const known = this.#linked.get(length);
    if (known) return known;
    const links = new Map<string, DataField>();
    for (const field of this.of("880")) {
      const start = firstSubfield(field, "6")?.slice(0, length);
      if (start !== undefined && !links.has(start)) links.set(start, field);
    }
    this.#linked.set(length, links);
    return links;
  }
}

/** Fields of titles, in which systems write signs instead of control characters around an article. */
const TITLE_TAGS = new Set("130 240 245 246 440 490 730 740 830 880".split(" "));
/** Text that sorting skips between control characters of Unicode or ISO 6630. Alone these are damage. */
const SKIPPED = /[\u0088\u0098]([^\u0088\u0089\u0098\u009C]*)[\u0089\u009C]/g;
const MARKED_ARTICLE =
  /^\s*(?:[\u0088\u0098]([^\u0089\u009C]{1,40})[\u0089\u009C]|<<([^<>]{1,40})>>|¬([^¬]{1,40})¬)/u;
const MAY_BE_MARKED = /[\u0088\u0098¬]|^\s*<</;
/** Maximum length of an article with its blank, in UTF-16 units: its place in MARC is one digit. */
const ARTICLE_LENGTH_MAX = 9;
const JOINED_WORDS = /^(?:\p{L}|\p{M})+$/u;

/** Q774: returns a field without the marks around text that sorting skips. A title keeps its article. */
function withoutSortingMarks(field: DataField): DataField {
  if (!field.subfields.some(([, value]) => MAY_BE_MARKED.test(value))) return field;
  let article: string | undefined;
  const subfields = field.subfields.map(([code, value]): Subfield => {
    const match = TITLE_TAGS.has(field.tag) ? MARKED_ARTICLE.exec(value) : null;
    if (match === null) return [code, value.replace(SKIPPED, "$1")];
    const [whole, control, angles, sign] = match;
    const words = control ?? angles ?? sign ?? "";
    const rest = value.slice(whole.length).replace(SKIPPED, "$1");
    // Without any blank between them the marks separate the words.
    const blank = JOINED_WORDS.test(words) && !rest.startsWith(" ") ? " " : "";
    const text = words + blank + rest;
    const end = text.charAt(words.length) === " " ? words.length + 1 : words.length;
    if (code === "a" && end <= ARTICLE_LENGTH_MAX) article ??= text.slice(0, end);
    return [code, text];
  });
  return { ...field, subfields, ...(article !== undefined && { article }) };
}

export type Members = Record<string, Json>;

/** Sets a member unless its value is an empty text, list or object. */
export function putMember(members: Members, name: string, value: Json | undefined): void {
  if (value === 0 || (value !== undefined && !isFalsy(value))) members[name] = value;
}

export function dropEmpty(texts: readonly string[]): string[] {
  return texts.filter((value) => value !== "");
}
