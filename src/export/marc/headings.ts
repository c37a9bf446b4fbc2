import { ROLE_LABELS } from "../../import/marc/edition/authors.ts";
import { tidyPlace, tidySubject } from "../../import/marc/edition/subjects.ts";
import { flipName } from "../../import/marc/edition/text.ts";
import type { DataField } from "../../import/marc/record.ts";
import { type Agent, NO_DETAILS, namePartsOf, sortedNameOf } from "../agents.ts";
import type { Book } from "../book.ts";
import { joinNonEmpty } from "../values.ts";
import { type OptionalSubfield, toDataField, toDataFields } from "./fields.ts";

const CODES = new Map(
  [...ROLE_LABELS].filter(([code]) => /^[a-z]{3}$/.test(code)).map(([code, label]) => [label, code]),
);
/** Subfields of authority numbers: those that imports read, and URIs of others. */
const AUTHORITIES: ReadonlyMap<string, readonly [code: string, prefix: string]> = new Map([
  ["lc_naf", ["0", "http://id.loc.gov/authorities/names/"]],
  ["isni", ["0", "(isni)"]],
  ["gnd", ["0", "(DE-101c)"]],
  ["viaf", ["1", "http://viaf.org/viaf/"]],
  ["wikidata", ["1", "http://www.wikidata.org/entity/"]],
]);

/** Returns fields for the makers of a book: the first author in 1XX, the others in 7XX. */
export function agentFieldsOf(agents: readonly Agent[]): DataField[] {
  return agents.flatMap((agent, index) =>
    agentFieldOf(agent, index === 0 && hasMainEntry(agents) ? "1" : "7"),
  );
}

/** Returns true if the first agent is an author of the catalog, who becomes the main entry. */
export function hasMainEntry(agents: readonly Agent[]): boolean {
  return agents[0]?.url !== undefined;
}

function agentFieldOf(agent: Agent, group: "1" | "7"): DataField[] {
  const about: OptionalSubfield[] = [
    ["d", datesOf(agent)],
    ["e", agent.role],
    ...agent.numbers.flatMap(([source, id]): OptionalSubfield[] => {
      const [code, prefix] = AUTHORITIES.get(source) ?? [];
      return code === undefined ? [] : [[code, `${prefix}${id}`]];
    }),
    ["4", CODES.get(agent.role ?? "")],
  ];
  if (agent.kind !== "person") {
    return toDataField(group + (agent.kind === "org" ? "10" : "11"), "2 ", [["a", agent.name], ...about]);
  }
  const { heading, addition, isSorted } = headingOf(agent);
  return toDataField(`${group}00`, isSorted ? "1 " : "0 ", [["a", heading], ["c", addition], ...about]);
}

/** Returns the name in sorted form, and its addition, such as `Jr.` */
function headingOf(agent: Agent): { heading: string; addition?: string; isSorted: boolean } {
  const { name, personalName } = agent;
  if (personalName !== undefined && name.startsWith(`${personalName} `)) {
    const addition = name.slice(personalName.length);
    return { heading: personalName, addition, isSorted: personalName.includes(", ") };
  }
  const parts = name.endsWith(")") ? undefined : namePartsOf(agent);
  const isInverted = parts !== undefined && name.startsWith(`${parts.family}, `);
  if (parts === undefined || isInverted) return { heading: name, isSorted: isInverted };
  const given = joinNonEmpty([parts.given, parts.particle], " ");
  return { heading: `${parts.family}, ${given}`, addition: parts.suffix, isSorted: true };
}

/** Returns `1835-1910`, `1835-`, or another text. Dates are cut at a hyphen: it would separate them. */
function datesOf({ born, died, lived }: Agent): string | undefined {
  if (born === undefined && died === undefined) return lived;
  return [born, died]
    .map((date) => (date?.includes("-") ? date.slice(0, date.indexOf("-")) : (date ?? "")))
    .join("-");
}

const LIVED = /^[^()]+$/;
const DIGIT = /\d/;

/** Returns the subjects; headings that imports would invert (`Fiction, Historical`) in 653. */
export function subjectFieldsOf(book: Book): DataField[] {
  const { subjects, subjectPlaces, times, people, genres } = book;
  return [
    ...people.flatMap(personFieldOf),
    ...toDataFields(["648", " 4"], times),
    ...toDataFields(["650", " 4"], subjects.filter(isHeading)),
    ...toDataFields(["651", " 4"], subjectPlaces.filter(isPlace)),
    ...toDataFields(
      ["653", " 0"],
      subjects.filter((text) => !isHeading(text)),
    ),
    ...toDataFields(
      ["653", " 5"],
      subjectPlaces.filter((text) => !isPlace(text)),
    ),
    ...toDataFields(["655", " 4"], genres),
  ];
}

function isHeading(text: string): boolean {
  return tidySubject(text) === text;
}

function isPlace(text: string): boolean {
  return tidyPlace(text) === text;
}

function personFieldOf(text: string): DataField[] {
  const { name, lived } = splitNameAndDates(text);
  const sorted = sortedNameOf({ ...NO_DETAILS, name });
  const isSorted = sorted !== name && flipName(sorted) === name;
  return toDataField("600", isSorted ? "14" : "04", [
    ["a", isSorted ? sorted : name],
    ["d", lived],
  ]);
}

/** Splits `Name (1800-1850)` into its two parts. */
function splitNameAndDates(text: string): { readonly name: string; readonly lived?: string } {
  const open = text.lastIndexOf(" (");
  const lived = text.slice(open + 2, -1);
  const isLived = open > 0 && text.endsWith(")") && LIVED.test(lived) && DIGIT.test(lived);
  return isLived ? { name: text.slice(0, open), lived } : { name: text };
}
