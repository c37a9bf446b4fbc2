import type { DataField } from "../record.ts";
import {
  type MarcFields,
  type Members,
  contentsOf,
  firstSubfield,
  putMember,
  subfieldValues,
} from "./fields.ts";
import { joinName, joinNameWithDot, withoutNumberDot, withoutOldCatalog } from "./text.ts";
import { trimmerOf } from "../../../catalog/bytes.ts";

/** Dates of an author: birth and death, or one text if these cannot be told apart. */
interface AuthorDates {
  birth_date?: string;
  death_date?: string;
  date?: string;
}

/** Pattern of `4th/5th cent.`, but not `4th-5th cent.`, which is split at the hyphen. */
const CENTURY = /^[\dl][^-]+ cent\.$/;
// Typewriters had no key for 1: a small L beside a digit stands for it.
const TYPED_ONE = /(?<=\d)l|l(?=\d)/g;
const FLOURISHED = /^fl[., ]/;
const CIRCA = /ca\.(?=[^ ])/g;
const ERA = /\b(?:B\.C\.?|A\.D\.)/;

/** Parses the dates of an author from all `$d` of a field. */
export function parseAuthorDates(texts: readonly string[]): AuthorDates {
  if (texts.length === 0) return {};
  const [only = ""] = texts;
  if (texts.length === 1 && CENTURY.test(only)) return { date: withOnes(only) };
  for (const text of texts) {
    const dates = parseLifetime(text);
    if (dates) return dates;
  }
  // Q316: a text without a hyphen is unchanged: `b. 1940` is not parsed as a date of birth.
  const date = withOnes(texts.map(withoutNumberDot).join(" "));
  return date === "" ? {} : { date };
}

/** Splits dates at a hyphen. Returns undefined if there is none, or if only activity is dated. */
function parseLifetime(text: string): AuthorDates | undefined {
  if (FLOURISHED.test(text)) return undefined;
  const [before = "", after, ...more] = withoutNumberDot(text).replace(CIRCA, "ca. ").split("-");
  if (after === undefined) return undefined;
  const birth = before.trim();
  const death = more.length === 0 ? after.trim() : "";
  const era = ERA.test(birth) ? undefined : ERA.exec(death)?.[0];
  const dates: AuthorDates = {};
  if (birth !== "") dates.birth_date = withOnes(era === undefined ? birth : `${birth} ${era}`);
  if (death !== "") dates.death_date = withOnes(death);
  return dates;
}

function withOnes(text: string): string {
  return text.replaceAll(TYPED_ONE, "1");
}

/** Roles of persons, by relator code or by the abbreviation of older cards. */
export const ROLE_LABELS: ReadonlyMap<string, string> = new Map([
  ["art", "Artist"],
  ["aui", "Author of introduction"],
  ["aut", "Author"],
  ["clr", "Colorist"],
  ["com", "Compiler"],
  ["edc", "Editor of compilation"],
  ["edt", "Editor"],
  ["ill", "Illustrator"],
  ["ltr", "Letterer"],
  ["trl", "Translator"],
  ["win", "Writer of introduction"],
  ["wpr", "Writer of preface"],
  ["comp.", "Compiler"],
  ["ed.", "Editor"],
  ["ill.", "Illustrator"],
  ["tr.", "Translator"],
]);

const trimDateEnds = trimmerOf(",[]");
/** Q775: numbers of authors by their source, as codes of agencies and addresses name them. */
const AUTHORITIES: ReadonlyMap<string, RegExp> = new Map([
  [
    "lc_naf",
    /(?:\((?:DLC|naf|lcnaf)\)|id\.loc\.gov\/(?:authorities\/names|rwo\/agents)\/|^)\s*(n[a-z]{0,2}\s{0,3}\d{8,10})(?!\d)/i,
  ],
  ["isni", /(?:\(isni\)|isni\.org\/(?:isni\/)?|^isni:?)\s*((?:\d[\s-]?){15}[\dx])(?!\d)/i],
  [
    "gnd",
    /(?:\((?:DE-(?:101c|588a?)|gnd)\)|d-nb\.info\/(?:gnd|standards\/elementset\/gnd)\/|^gnd:?)\s*(\d[\d-]*[\dx]?)/i,
  ],
  ["viaf", /(?:\(viaf\)|viaf\.org\/viaf\/|^viaf:?)\s*(\d+)/i],
  ["wikidata", /(?:\((?:wikidata|wd)\)|wikidata\.org\/(?:entity|wiki)\/|^(?:wikidata:?)?)\s*(Q\d+)$/i],
  ["orcid", /(?:\(orcid\)|orcid\.org\/|^orcid:?)\s*((?:\d{4}-){3}\d{3}[\dx])/i],
  ["bnf", /bnf\.fr\/ark:\/12148\/cb(\w+)/],
]);
const PARTS = /[\s-]/g;

/** Returns the authors: persons, then organisations, then events. Neither 711 nor 720 is read (Q317). */
export function readAuthors(fields: MarcFields): Members[] {
  const persons = new Map<string, Members>();
  for (const field of fields.of("persons")) {
    const members = parsePerson(fields, field);
    const name = String(members?.["name"]);
    if (members && !persons.has(name)) persons.set(name, members);
  }
  const others = [
    ...fields.of("organisations").map((field) => parseOrganisation(fields, field)),
    ...fields.of("111").map(parseEvent),
  ];
  return [...persons.values(), ...others.filter((author) => author !== undefined)];
}

function parsePerson(fields: MarcFields, field: DataField): Members | undefined {
  const surname = contentsOf(field, "a");
  const titles = contentsOf(field, "c");
  const name = joinName(subfieldValues(field, "abc"));
  if (name === "" || (surname.length === 0 && titles.length === 0)) return undefined;
  const members: Members = { name, entity_type: "person" };
  const dates = contentsOf(field, "d").map((date) => trimDateEnds(withoutOldCatalog(date)));
  Object.assign(members, parseAuthorDates(dates));
  const personal = joinName(surname);
  if (personal !== name) putMember(members, "personal_name", personal);
  putMember(members, "numeration", joinName(contentsOf(field, "b")));
  putMember(members, "title", joinName(titles));
  putMember(members, "role", roleOf(field));
  putMember(members, "remote_ids", remoteIdsOf(field));
  const linked = findLinkedField(fields, field);
  return withName(members, linked && joinName(contentsOf(linked, "a")));
}

/** Returns the role of the person. `$4` takes precedence over `$e`. Unknown text is kept. */
function roleOf(field: DataField): string | undefined {
  const codes = contentsOf(field, "4");
  const text = joinNameWithDot(codes.length > 0 ? codes : contentsOf(field, "e"));
  return ROLE_LABELS.get(text) ?? text;
}

function remoteIdsOf(field: DataField): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const value of subfieldValues(field, "01")) {
    for (const [source, pattern] of AUTHORITIES) {
      const id = pattern.exec(value)?.[1];
      if (id !== undefined) ids[source] ??= toPlainId(source, id);
    }
  }
  return ids;
}

/** Returns a number as the catalog stores it: ORCID iDs and GND numbers keep their hyphens. */
function toPlainId(source: string, id: string): string {
  const plain = source === "lc_naf" || source === "isni" ? id.replace(PARTS, "") : id;
  return source === "lc_naf" ? plain.toLowerCase() : plain.toUpperCase();
}

function parseOrganisation(fields: MarcFields, field: DataField): Members | undefined {
  const name = joinName(subfieldValues(field, "ab"));
  if (name === "") return undefined;
  const linked = findLinkedField(fields, field);
  return withName({ name, entity_type: "org" }, linked && joinName(subfieldValues(linked, "ab")));
}

function parseEvent(field: DataField): Members | undefined {
  const name = joinName(subfieldValues(field, "acdn"));
  return name === "" ? undefined : { name, entity_type: "event" };
}

function findLinkedField(fields: MarcFields, field: DataField): DataField | undefined {
  const link = firstSubfield(field, "6");
  return link === undefined ? undefined : fields.findLinked(field.tag, link);
}

/** Uses the name in its original script as the name (Q314), and the romanised one as an alternate name. */
function withName(members: Members, original: string | undefined): Members {
  return original ? { ...members, name: original, alternate_names: [String(members["name"])] } : members;
}
