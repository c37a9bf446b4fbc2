import { flipName } from "../../authors/flip-name.ts";
import type { DataField } from "../record.ts";
import { values } from "./access.ts";
import type { MarcFields } from "./fields.ts";
import { type Members, put } from "./members.ts";
import { isTurnedName, tidyPlace, tidySubject } from "./subject-text.ts";
import { trimmer, withoutFinalDot } from "./text.ts";

const NAME_ENDS = trimmer(" /,;:");
const DATE_ENDS = trimmer(".() ");
const SUBDIVISIONS = "vxyz";

/** Headings by kind, each once, in the order of their first appearance. */
interface Headings {
  topics: Set<string>;
  places: Set<string>;
  times: Set<string>;
  people: Set<string>;
  /** Organisations, events and works: they follow the topics, those of the kind that came first in front. */
  named: Map<string, Set<string>>;
}

/** Subjects (import.md 14). */
export function putSubjectMembers(members: Members, fields: MarcFields): void {
  const headings: Headings = {
    topics: new Set(),
    places: new Set(),
    times: new Set(),
    people: new Set(),
    named: new Map(),
  };
  for (const field of fields.of("subjects")) {
    addMain(headings, field);
    addSubdivisions(headings, field);
  }
  const subjects = new Set(headings.topics);
  for (const named of headings.named.values()) for (const heading of named) subjects.add(heading);
  put(members, "subjects", [...subjects]);
  put(members, "subject_places", [...headings.places]);
  put(members, "subject_times", [...headings.times]);
  put(members, "subject_people", [...headings.people]);
}

function addMain(headings: Headings, field: DataField): void {
  switch (field.tag) {
    case "600":
      add(headings.people, person(field));
      break;
    case "610":
      addNamed(headings, field.tag, values(field, "abcd").join(" "));
      break;
    case "611":
      addNamed(headings, field.tag, undivided(field));
      break;
    case "630":
      for (const value of values(field, "a")) addNamed(headings, field.tag, value);
      break;
    case "650":
      for (const value of values(field, "a")) add(headings.topics, tidySubject(value));
      break;
    case "651":
      for (const value of values(field, "a")) add(headings.places, tidyPlace(value));
      break;
    // Of 648 and 662 only the subdivisions are read.
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

function add(found: Set<string>, heading: string): void {
  if (heading !== "") found.add(heading);
}

function addNamed(headings: Headings, kind: string, text: string): void {
  const heading = tidySubject(text);
  if (heading === "") return;
  const known = headings.named.get(kind);
  if (known) known.add(heading);
  else headings.named.set(kind, new Set([heading]));
}

/** A person in natural order, with the dates in parentheses. */
function person(field: DataField): string {
  const parts: string[] = [];
  for (const [code, value] of field.subfields) {
    if (value === "") continue;
    if (code === "d") parts.push(`(${DATE_ENDS(value)})`);
    else if (code === "a") parts.push(natural(NAME_ENDS(value)));
    else if (code === "b" || code === "c") parts.push(NAME_ENDS(value));
  }
  return withoutFinalDot(parts.join(" ")).trim();
}

function natural(name: string): string {
  return isTurnedName(name) ? flipName(name) : name;
}

/** All of an event's heading but its subdivisions. */
function undivided(field: DataField): string {
  return field.subfields
    .filter(([code]) => !SUBDIVISIONS.includes(code))
    .map(([, value]) => value.trim())
    .join(" ");
}
