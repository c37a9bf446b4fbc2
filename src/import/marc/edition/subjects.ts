import type { DataField } from "../record.ts";
import { type MarcFields, type Members, putMember, subfieldValues } from "./fields.ts";
import { flipName, withoutFinalDot } from "./text.ts";
import { trimmerOf } from "../../../catalog/bytes.ts";

const ETC_GAP = /[, .]/;
const CHARACTER_END = " character)";
const CAPITAL = /^[A-Z]/;
const PLAIN_WORDS = /^[A-Z][A-Za-z ]+$/;

/** Formats a subject heading for display: `authors, American.` becomes American Authors. */
export function tidySubject(text: string): string {
  const heading = capitalize(withoutFinalDot(text.trim()).trim());
  const list = beforeEtc(heading);
  if (list !== undefined) return list;
  const bare = withoutFinalDot(heading);
  // Q319: `Apple Computer, Inc.` looks like an inverted heading, and becomes `Inc Apple Computer`.
  return uninvertCharacter(bare) ?? uninvertWords(bare) ?? bare;
}

/** Formats a place for display: `West Indies, British.` becomes British West Indies. */
export function tidyPlace(text: string): string {
  const place = withoutFinalDot(text).trim();
  if (place.includes("(") || place.includes(")")) return place;
  const comma = place.lastIndexOf(", ", place.length - 3);
  return comma > 0 ? `${place.slice(comma + 2)} ${place.slice(0, comma)}` : place;
}

function capitalize(text: string): string {
  const [initial = ""] = text;
  return text.length > initial.length ? initial.toUpperCase() + text.slice(initial.length) : text;
}

function beforeEtc(text: string): string | undefined {
  const last = text.length - 1;
  const end = ETC_GAP.test(text.charAt(last)) ? last : last + 1;
  let start = end - 3;
  if (text.slice(Math.max(0, start), end).toLowerCase() !== "etc" || start < 2) return undefined;
  if (!ETC_GAP.test(text.charAt(start - 1))) return undefined;
  while (start > 1 && ETC_GAP.test(text.charAt(start - 1))) start -= 1;
  return text.slice(0, start);
}

/** Converts `Rhodes, Dan (Fictitious character)` to natural order. */
function uninvertCharacter(text: string): string | undefined {
  if (!text.endsWith(CHARACTER_END)) return undefined;
  const remark = text.lastIndexOf(" (", text.length - CHARACTER_END.length - 2);
  const comma = remark < 4 ? -1 : text.lastIndexOf(", ", remark - 3);
  if (comma < 1) return undefined;
  return `${text.slice(comma + 2, remark)} ${text.slice(0, comma)}${text.slice(remark)}`;
}

/** Converts `History, Military` to natural order: plain capitalised words on both sides of one comma. */
function uninvertWords(text: string): string | undefined {
  const comma = text.indexOf(", ");
  if (comma < 2) return undefined;
  const [main, addition] = [text.slice(0, comma), text.slice(comma + 2)];
  if (!PLAIN_WORDS.test(main) || !PLAIN_WORDS.test(addition)) return undefined;
  return `${addition} ${main.trimEnd()}`;
}

/** Returns true for names such as `Twain, Mark`, with a capital after a comma. */
function isInvertedName(text: string): boolean {
  for (let comma = text.indexOf(", ", 1); comma !== -1; comma = text.indexOf(", ", comma + 1)) {
    if (text.length > comma + 3 && CAPITAL.test(text.charAt(comma + 2))) return true;
  }
  return false;
}

const trimNameEnds = trimmerOf(" /,;:");
const trimDateEnds = trimmerOf(".() ");
const SUBDIVISIONS = "vxyz";

class Headings {
  readonly topics = new Set<string>();
  readonly places = new Set<string>();
  readonly times = new Set<string>();
  readonly people = new Set<string>();
  /** Organisations, events and works. They follow the topics, grouped by kind in order of first appearance. */
  readonly named = new Map<string, Set<string>>();
}

export function putSubjectMembers(members: Members, fields: MarcFields): void {
  const headings = new Headings();
  for (const field of fields.of("subjects")) {
    addMain(headings, field);
    addSubdivisions(headings, field);
  }
  const subjects = new Set(headings.topics);
  for (const named of headings.named.values()) for (const heading of named) subjects.add(heading);
  putMember(members, "subjects", [...subjects]);
  putMember(members, "subject_places", [...headings.places]);
  putMember(members, "subject_times", [...headings.times]);
  putMember(members, "subject_people", [...headings.people]);
}

function addMain(headings: Headings, field: DataField): void {
  switch (field.tag) {
    case "600":
      add(headings.people, personHeadingOf(field));
      break;
    case "610":
      addNamed(headings, field.tag, subfieldValues(field, "abcd").join(" "));
      break;
    case "611":
      addNamed(headings, field.tag, withoutSubdivisions(field));
      break;
    case "630":
      for (const value of subfieldValues(field, "a")) addNamed(headings, field.tag, value);
      break;
    case "650":
      for (const value of subfieldValues(field, "a")) add(headings.topics, tidySubject(value));
      break;
    case "651":
      for (const value of subfieldValues(field, "a")) add(headings.places, tidyPlace(value));
      break;
    // Only the subdivisions of 662 are read, and of 648 except in exports, which name no list of headings (Q779).
    case "648":
      if (field.ind2 === "4")
        for (const value of subfieldValues(field, "a")) add(headings.times, tidySubject(value));
      break;
    default:
  }
}

function addSubdivisions(headings: Headings, field: DataField): void {
  for (const [code, value] of field.subfields) {
    if (code === "v" || code === "x") add(headings.topics, tidySubject(value));
    else if (code === "y") add(headings.times, tidySubject(value));
    else if (code === "z") add(headings.places, tidyPlace(value));
  }
}

function add(set: Set<string>, heading: string): void {
  if (heading !== "") set.add(heading);
}

function addNamed(headings: Headings, kind: string, text: string): void {
  const heading = tidySubject(text);
  if (heading === "") return;
  const known = headings.named.get(kind);
  if (known) known.add(heading);
  else headings.named.set(kind, new Set([heading]));
}

function personHeadingOf(field: DataField): string {
  const parts: string[] = [];
  for (const [code, value] of field.subfields) {
    if (value === "") continue;
    if (code === "d") parts.push(`(${trimDateEnds(value)})`);
    else if (code === "a") parts.push(toNaturalName(trimNameEnds(value)));
    else if (code === "b" || code === "c") parts.push(trimNameEnds(value));
  }
  return withoutFinalDot(parts.join(" ")).trim();
}

function toNaturalName(name: string): string {
  return isInvertedName(name) ? flipName(name) : name;
}

function withoutSubdivisions(field: DataField): string {
  return field.subfields
    .filter(([code]) => !SUBDIVISIONS.includes(code))
    .map(([, value]) => value.trim())
    .join(" ");
}
