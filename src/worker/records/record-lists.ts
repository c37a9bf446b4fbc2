import { RECORD_VALUES_MAX, RECORD_VALUE_LENGTH } from "../../catalog/editing/members.ts";
import { type CatalogRecord, isObject, stringsOf } from "../../catalog/record.ts";
import { subjectKey } from "../../search/documents/subject-key.ts";
import { publisherPageKey, subjectPageKey } from "../../search/present/subjects.ts";
import { nameAddress } from "../search/result-parts.ts";
import { chips } from "../ui/chip.ts";
import { factList } from "../ui/facts.ts";
import { type Markup, type Piece, SHOWN_TEXT_MAX, markup, shortText } from "../ui/markup.ts";
import { commas, firstOf, link } from "../ui/parts.ts";
import { section, webLink } from "../ui/values.ts";
import { type Words, say } from "../ui/words.ts";

const IDENTIFIER_MEMBERS: readonly (readonly [member: string, words: Words])[] = [
  ["isbn_10", "identifier.isbn_10"],
  ["isbn_13", "identifier.isbn_13"],
  ["lccn", "search.lccn"],
  ["oclc_numbers", "search.oclc"],
  ["ocaid", "identifier.ocaid"],
  ["lc_classifications", "identifier.lc_class"],
  ["dewey_decimal_class", "identifier.dewey"],
  ["dewey_number", "identifier.dewey"],
];

/** URLs of the pages about an identifier, by its name; the identifier is appended. */
const IDENTIFIER_URLS: ReadonlyMap<string, string> = new Map([
  ["amazon", "https://www.amazon.com/dp/"],
  ["dnb", "https://d-nb.info/"],
  ["doi", "https://doi.org/"],
  ["goodreads", "https://www.goodreads.com/book/show/"],
  ["google", "https://books.google.com/books?id="],
  ["imdb", "https://www.imdb.com/name/"],
  ["isni", "https://isni.org/isni/"],
  ["lc_naf", "https://id.loc.gov/authorities/names/"],
  ["lccn", "https://lccn.loc.gov/"],
  ["librarything", "https://www.librarything.com/work/"],
  ["librivox", "https://librivox.org/"],
  ["musicbrainz", "https://musicbrainz.org/artist/"],
  ["ocaid", "https://archive.org/details/"],
  ["oclc_numbers", "https://search.worldcat.org/title/"],
  ["project_gutenberg", "https://www.gutenberg.org/ebooks/"],
  ["standard_ebooks", "https://standardebooks.org/ebooks/"],
  ["storygraph", "https://app.thestorygraph.com/books/"],
  ["viaf", "https://viaf.org/viaf/"],
  ["wikidata", "https://www.wikidata.org/wiki/"],
]);

export function identifierList(record: CatalogRecord): Markup | undefined {
  const members = IDENTIFIER_MEMBERS.map(([member, words]) => [member, say(words), record[member]] as const);
  const named = ["identifiers", "classifications", "remote_ids"].flatMap((member) => {
    const values = record[member];
    if (!isObject(values)) return [];
    return Object.entries(values).map(([name, value]) => [name, name.replaceAll("_", " "), value] as const);
  });
  const entries = [...members, ...named].map(([name, text, value]): [Piece, Piece] => [
    text,
    commas(
      stringsOf(value)
        .filter((identifier) => identifier !== "")
        .map((identifier) => identifierLink(name, identifier)),
    ),
  ]);
  return section(say("identifier.heading"), factList(entries));
}

function identifierLink(name: string, value: string): Piece {
  if (name.startsWith("isbn_")) return link(`/isbn/${encodeURIComponent(value.toWellFormed())}`, value);
  const prefix = IDENTIFIER_URLS.get(name);
  return prefix === undefined ? value : webLink(prefix + encodeURI(value.toWellFormed().trim()), value);
}

const SUBJECT_LISTS = [
  { member: "subjects", type: "subject", heading: "nav.subjects" },
  { member: "subject_people", type: "person", heading: "search.people" },
  { member: "subject_places", type: "place", heading: "search.places" },
  { member: "subject_times", type: "time", heading: "search.times" },
] as const;

export function subjectLists(record: CatalogRecord): Markup | undefined {
  const lists = SUBJECT_LISTS.flatMap(({ member, type, heading }) => {
    const names = [...new Set(stringsOf(record[member]).filter((name) => name.trim() !== ""))];
    const list = chips(
      names.slice(0, RECORD_VALUES_MAX).map((name) => ({
        text: name.length > RECORD_VALUE_LENGTH ? shortText(name) : name,
        href: subjectKey(name) === "" ? undefined : nameAddress(subjectPageKey(type, name)),
      })),
    );
    return list === undefined ? [] : [section(say(heading), list)];
  });
  return lists.length === 0 ? undefined : markup`${lists}`;
}

export function publisherLinks(record: CatalogRecord, count = Number.POSITIVE_INFINITY): Markup | undefined {
  const names = stringsOf(record["publishers"]).filter((name) => name.trim() !== "");
  return commas(
    firstOf(names, count, (name) =>
      name.length > SHOWN_TEXT_MAX ? shortText(name) : link(nameAddress(publisherPageKey(name)), name),
    ),
  );
}
