import { type DataField, MarcError } from "../record.ts";
import {
  type MarcFields,
  type Members,
  contents,
  filled,
  first,
  lowerValues,
  put,
  values,
} from "./fields.ts";
import { bracketed, distinct, joinedParts, trimmer, withoutFinalDot } from "./text.ts";

const COMMAS = trimmer(",");
const SPACES = trimmer(" ");
const REFERENCES = new Set(["See", "See also"]);

/**
 * Adds title, subtitle, statement of responsibility, form, work titles and other titles. Throws MarcError if the record
 * has no title at all, or only refers to another record.
 */
export function putTitleMembers(members: Members, fields: MarcFields): void {
  const ofWork = workTitles(fields);
  const others: string[] = [];
  const field = fields.of("245")[0] ?? fields.of("740")[0];
  const title = field && mainTitle(field);
  if (field && title) others.push(...putOfField(members, fields, { field, title }));
  else {
    // Q313: the work title is used as the title; further ones remain work titles.
    const stand = ofWork.shift();
    if (stand === undefined) throw new MarcError("no-title", "The record has no title.");
    members["title"] = stand;
  }
  put(members, "work_titles", ofWork);
  put(members, "other_titles", [...others, ...filled(otherTitles(fields))]);
}

interface MainTitle {
  text: string;
  /** Parts after the title: subtitle, number and name of a part. */
  rest: string[];
}

function mainTitle(field: DataField): MainTitle | undefined {
  const rest = values(field, "bnps");
  const main = contents(field, "a");
  const text = joinedParts(main.length > 0 ? main : rest.splice(0, 1));
  if (REFERENCES.has(text)) {
    throw new MarcError("see-also-title", `The title is "${text}": the record refers to another one.`);
  }
  if (text.trim() !== "") return { text, rest };
  const whole = joinedParts(lowerValues(field));
  return whole.trim() === "" ? undefined : { text: whole, rest };
}

/** Adds the title data of a field. Returns the unused title, if there is one. */
function putOfField(
  members: Members,
  fields: MarcFields,
  { field, title }: { readonly field: DataField; readonly title: MainTitle },
): string[] {
  const link = first(field, "6");
  const linked = link === undefined ? undefined : fields.linked("245", link);
  const original = linked && joinedParts(values(linked, "a"));
  members["title"] = original || title.text;

  put(members, "subtitle", subtitle(title.rest, linked));
  put(members, "by_statement", withoutFinalDot(contents(field, "c").join(" ")));
  const form = SPACES(contents(field, "h").join(" "));
  put(members, "physical_format", bracketed(form) ?? form);
  // Q314: the title in its original script is the title; the romanised one comes first among the other titles.
  return original ? [title.text] : [];
}

function subtitle(rest: readonly string[], linked: DataField | undefined): string | undefined {
  const parts = rest.length > 0 || !linked ? rest : values(linked, "bnps");
  const text = joinedParts(parts, " : ");
  return bracketed(text) === undefined ? text : undefined;
}

function workTitles(fields: MarcFields): string[] {
  const uniform = fields.of("240").map((field) => withoutFinalDot(COMMAS(values(field, "amnpr").join(" "))));
  const headings = fields.of("130").map((field) => joinedParts(lowerValues(field, "n")));
  return distinct(filled([...uniform, ...headings]));
}

function otherTitles(fields: MarcFields): string[] {
  return [
    ...fields.of("246").map((field) => values(field, "a").join(" ")),
    ...fields.of("730").map((field) => lowerValues(field).join(" ")),
    ...fields.of("740").map((field) => values(field, "apn").join(" ")),
  ];
}
