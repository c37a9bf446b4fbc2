import { type CatalogRecord, type Json, isObject } from "../record.ts";
import {
  classificationMembers,
  formIdentifiers,
  identifierMembers,
  identifierText,
} from "./form-identifiers.ts";
import { isBlank, sentMembers } from "./form-members.ts";
import { splitTitle } from "./form-texts.ts";

const FORM = {
  type: "/type/edition",
  rows: new Map([
    ["contributors", "name"],
    ["links", "url"],
    ["providers", "url"],
  ]),
};

/**
 * Returns new values of an edition's members from the fields `edition--*`, null for those to remove. Members that are
 * not in the form are kept. `shown` is the record that filled the form.
 */
export function editionMembers(sent: CatalogRecord, shown: CatalogRecord): CatalogRecord {
  const { identifiers, classifications, physical_dimensions: size, weight, translation, ...plain } = sent;
  const members = sentMembers(FORM, plain, shown);
  Object.assign(members, titleMembers(members));
  if (size !== undefined) members["physical_dimensions"] = dimensions(size);
  if (weight !== undefined) members["weight"] = weightText(weight);
  // These members only apply to translations.
  if (translation !== undefined && translation !== "yes") {
    members["translation_of"] = null;
    members["translated_from"] = null;
  }
  if (isNews(identifiers, shown["identifiers"])) {
    Object.assign(members, identifierMembers(formIdentifiers(identifiers), Array.isArray(identifiers)));
  }
  if (isNews(classifications, shown["classifications"])) {
    Object.assign(
      members,
      classificationMembers(formIdentifiers(classifications), Array.isArray(classifications)),
    );
  }
  return members;
}

/** Splits `Title: subtitle`, typed as one text, into two members, unless a subtitle was typed too. */
export function titleMembers({ title, subtitle }: CatalogRecord): CatalogRecord {
  if (typeof title !== "string" || !isBlank(subtitle)) return {};
  return splitTitle(title) ?? {};
}

function isNews(sent: Json | undefined, shown: Json | undefined): sent is Json {
  return sent !== undefined && !(typeof sent === "string" && sent === identifierText(shown));
}

/** Formats `{height, width, depth, units}` as `9 x 3 x 2 inches`. */
function dimensions(size: Json): Json {
  if (!isObject(size)) return isBlank(size) ? null : size;
  const numbers = [size["height"], size["width"], size["depth"]].filter((one) => !isBlank(one));
  return numbers.length === 0 ? null : `${numbers.join(" x ")} ${String(size["units"] ?? "")}`.trim();
}

/** Formats `{value, units}` as `300 grams`. */
function weightText(weight: Json): Json {
  if (!isObject(weight)) return isBlank(weight) ? null : weight;
  const { value, units = "" } = weight;
  return isBlank(value) ? null : `${String(value)} ${String(units)}`.trim();
}
