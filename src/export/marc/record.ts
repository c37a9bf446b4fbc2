import type { DataField, MarcRecord } from "../../import/marc/record.ts";
import { articleOf } from "../articles.ts";
import { type Book, extentOf } from "../book.ts";
import {
  type OptionalSubfield,
  LEADER,
  controlFieldsOf,
  toDataField,
  toDataFields,
  splitParagraphs,
} from "./fields.ts";
import { agentFieldsOf, hasMainEntry, subjectFieldsOf } from "./headings.ts";

/**
 * Converts a book to a MARC 21 record, ordered by tag: the inverse of `editionOfMarc`, as far as MARC has a place for
 * the data. Source of the fields: https://www.loc.gov/marc/bibliographic/
 */
export function marcOfBook(book: Book): MarcRecord {
  const fields = [
    ...numberFieldsOf(book),
    ...languageFieldsOf(book),
    ...agentFieldsOf(book.agents),
    ...titleFieldsOf(book),
    ...imprintFieldsOf(book),
    ...textFieldsOf(book),
    ...subjectFieldsOf(book),
    ...linkFieldsOf(book),
  ];
  return {
    leader: LEADER.replace("nam", `n${book.material.marc}m`),
    fields: [...controlFieldsOf(book), ...fields.toSorted((a, b) => Number(a.tag) - Number(b.tag))],
  };
}

const SHELFMARK = /^([A-Z]{1,3}\d+(?:\.\d+)?(?:\.[A-Z]\d+)?) (\S.*)$/;
const DIGITS = /^\d+$/;
/** Pattern of bindings, which qualify the ISBN of a book. */
const BINDING = /^(?:board|cloth|hard|leather|library binding|mass market|paper|soft|spiral|trade|unbound)/i;
/** Maximum length of a binding, in characters: each ISBN repeats it. */
const BINDING_LENGTH = 100;
const SOURCES: ReadonlyMap<string, readonly [tag: string, source?: string]> = new Map([
  ["dnb", ["016", "DE-101"]],
  ["doi", ["024", "doi"]],
  ["issn", ["022"]],
  ["wikidata", ["024", "wikidata"]],
]);

function numberFieldsOf(book: Book): DataField[] {
  const { isbn10, isbn13, format = "" } = book;
  const [lccn, ...otherLccns] = book.lccn;
  const binding = BINDING.test(format) ? format.slice(0, BINDING_LENGTH) : undefined;
  return [
    ...toDataField("010", "  ", [
      ["a", lccn],
      ...otherLccns.map((otherLccn): OptionalSubfield => ["z", otherLccn]),
    ]),
    ...[...isbn10, ...isbn13].flatMap((isbn) =>
      toDataField("020", "  ", [
        ["a", isbn],
        ["q", binding],
      ]),
    ),
    ...book.numbers.flatMap(([name, id]) => {
      const [tag, source] = SOURCES.get(name) ?? [];
      if (tag === undefined) return toDataField("035", "  ", [["a", `(${name})${id}`]]);
      return toDataField(tag, source === undefined ? "  " : "7 ", [
        ["a", id],
        ["2", source],
      ]);
    }),
    ...toDataFields(
      ["035", "  "],
      book.oclc.filter((number) => DIGITS.test(number)).map((number) => `(OCoLC)${number}`),
    ),
    ...book.congressClasses.flatMap((mark) => {
      const [, classNumber = mark, item] = SHELFMARK.exec(mark) ?? [];
      return toDataField("050", " 4", [
        ["a", classNumber],
        ["b", item],
      ]);
    }),
    ...toDataFields(["082", "04"], book.deweyClasses),
  ];
}

/** Returns field 041. A single language is only in 008. */
function languageFieldsOf({ languages, translatedFrom }: Book): DataField[] {
  if (languages.length < 2 && translatedFrom.length === 0) return [];
  return toDataField("041", translatedFrom.length > 0 ? "1 " : "0 ", [
    ...languages.map((code): OptionalSubfield => ["a", code]),
    ...translatedFrom.map((code): OptionalSubfield => ["h", code]),
  ]);
}

/** Returns the medium of a format. Bindings are not media. Imported text already has its brackets. */
function mediumOf(format: string | undefined): string | undefined {
  if (format === undefined || BINDING.test(format)) return undefined;
  return format.startsWith("[") ? format : `[${format}]`;
}

function titleFieldsOf(book: Book): DataField[] {
  const { title, subtitle, byStatement, format, otherTitles } = book;
  const article = articleOf(book);
  const [workTitle, ...furtherTitles] = book.workTitles;
  const hasAuthor = hasMainEntry(book.agents);
  return [
    ...(hasAuthor
      ? toDataField("240", "10", [["a", workTitle]])
      : toDataField("130", "0 ", [["a", workTitle]])),
    ...toDataField("245", `${hasAuthor ? 1 : 0}${article.length < 10 ? article.length : 0}`, [
      ["a", title],
      ["h", mediumOf(format)],
      ["b", subtitle],
      ["c", byStatement],
    ]),
    ...toDataFields(["246", "3 "], [...furtherTitles, ...otherTitles]),
  ];
}

function imprintFieldsOf(book: Book): DataField[] {
  const { edition, publishPlaces, publishers, date, dimensions } = book;
  return [
    ...toDataField("250", "  ", [["a", edition]]),
    ...toDataField("260", "  ", [
      ...publishPlaces.map((place): OptionalSubfield => ["a", place]),
      ...publishers.map((publisher): OptionalSubfield => ["b", publisher]),
      ["c", date],
    ]),
    ...toDataField("300", "  ", [
      ["a", extentOf(book)],
      ["c", dimensions],
    ]),
    ...book.series.flatMap(({ title, number }) =>
      toDataField("490", "0 ", [
        ["a", title],
        ["v", number],
      ]),
    ),
  ];
}

function textFieldsOf({ notes, contents, description }: Book): DataField[] {
  return [
    ...toDataFields(["500", "  "], splitParagraphs(notes)),
    ...toDataFields(["505", "0 "], splitParagraphs(contents.join(" -- "))),
    ...toDataFields(["520", "  "], splitParagraphs(description)),
  ];
}

function linkFieldsOf({ links, scanUrl, work, locations }: Book): DataField[] {
  return [
    ...toDataFields(["852", "  "], locations),
    ...(work === undefined
      ? []
      : toDataField("758", "  ", [
          ["i", "Instance of:"],
          ["a", work.title],
          ["1", work.url],
        ])),
    ...toDataField("856", "40", [
      ["u", scanUrl],
      ["3", scanUrl && "Scan"],
    ]),
    ...links.flatMap((link) =>
      toDataField("856", "42", [
        ["u", link.url],
        ["y", link.title],
      ]),
    ),
  ];
}
