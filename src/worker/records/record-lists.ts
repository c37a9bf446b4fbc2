import { type CatalogRecord, isObject, stringsOf } from "../../catalog/record.ts";
import { subjectKey } from "../../search/documents/subject-key.ts";
import { publisherPageKey, subjectPageKey } from "../../search/present/subjects.ts";
import { nameAddress } from "../search/result-parts.ts";
import { type Markup, type Piece, SHOWN_TEXT_MAX, markup, shortText } from "../ui/markup.ts";
import { commas, firstOf, link } from "../ui/parts.ts";
import { section } from "../ui/values.ts";

/** Members of an edition that are identifiers of their own. */
const MEMBERS = [
  ["isbn_10", "ISBN 10"],
  ["isbn_13", "ISBN 13"],
  ["lccn", "LCCN"],
  ["oclc_numbers", "OCLC number"],
  ["ocaid", "Archive item"],
  ["lc_classifications", "Library of Congress class"],
  ["dewey_decimal_class", "Dewey class"],
  ["dewey_number", "Dewey class"],
] as const;

/** Identifiers and classes of a record, whatever its kind; undefined when it has none. */
export function identifierList(record: CatalogRecord): Markup | undefined {
  const own = MEMBERS.map(([member, name]) => [name, stringsOf(record[member])] as const);
  const named = ["identifiers", "classifications", "remote_ids"].flatMap((member) => {
    const values = record[member];
    if (!isObject(values)) return [];
    return Object.entries(values).map(
      ([name, value]) => [name.replaceAll("_", " "), stringsOf(value)] as const,
    );
  });
  const rows = [...own, ...named].filter(([, values]) => values.some((value) => value !== ""));
  const entries = rows.map(
    ([name, values]): Piece =>
      markup`<dt>${name}</dt><dd>${commas(values.map((value) => markup`${value}`))}</dd>`,
  );
  return section("Identifiers", entries.length === 0 ? undefined : markup`<dl>${entries}</dl>`);
}

const KINDS = [
  { member: "subjects", type: "subject", heading: "Subjects" },
  { member: "subject_people", type: "person", heading: "People" },
  { member: "subject_places", type: "place", heading: "Places" },
  { member: "subject_times", type: "time", heading: "Times" },
] as const;

/** The subjects of a record, each leading to the books about it; undefined when it has none. */
export function subjectLists(record: CatalogRecord): Markup | undefined {
  const shown = KINDS.flatMap(({ member, type, heading }) => {
    const names = [...new Set(stringsOf(record[member]).filter((name) => name.trim() !== ""))];
    const links = names.map((name): Piece =>
      subjectKey(name) === "" ? name : link(nameAddress(subjectPageKey(type, name)), name),
    );
    return links.length === 0 ? [] : [markup`<dt>${heading}</dt><dd>${commas(links)}</dd>`];
  });
  return section("Subjects", shown.length === 0 ? undefined : markup`<dl>${shown}</dl>`);
}

/** Publishers, each leading to what else it has published; of many the first ones. */
export function publisherLinks(record: CatalogRecord, count = Number.POSITIVE_INFINITY): Markup | undefined {
  const names = stringsOf(record["publishers"]).filter((name) => name.trim() !== "");
  return commas(
    firstOf(names, count, (name) =>
      name.length > SHOWN_TEXT_MAX ? shortText(name) : link(nameAddress(publisherPageKey(name)), name),
    ),
  );
}
