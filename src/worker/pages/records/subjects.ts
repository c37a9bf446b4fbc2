import { type CatalogRecord, stringsOf } from "../../../catalog/record.ts";
import { subjectKey } from "../../../search/documents/subject-key.ts";
import { publisherPageKey, subjectPageKey } from "../../../search/present/subject-target.ts";
import { type Markup, type Piece, markup } from "../markup.ts";
import { commas, firstOf, link } from "../parts.ts";
import { nameAddress } from "../search/parts.ts";
import { SHOWN_TEXT_MAX, shortText } from "../short-text.ts";
import { section } from "./values.ts";

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
