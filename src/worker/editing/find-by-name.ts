import { lastSegmentOf } from "../../catalog/keys.ts";
import { stringsOf, textOf } from "../../catalog/record.ts";
import { readRecordMap } from "../../db/records/records.ts";
import type { Document } from "../../search/engine.ts";
import { equals } from "../../search/query/query.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { findCompletions } from "../search/autocomplete.ts";
import { findLanguages } from "../search/known-languages.ts";
import { findPublishers } from "../search/subject-search.ts";
import type { Piece } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { commas } from "../ui/parts.ts";
import type { Pickable } from "../ui/picker.ts";
import { t } from "../ui/words.ts";

export type PickKind =
  | "author"
  | "language"
  | "person"
  | "place"
  | "publisher"
  | "series"
  | "subject"
  | "time"
  | "work";

export const NAME_SOURCES: Readonly<Record<PickKind, string>> = {
  author: "/authors/_autocomplete",
  language: "/languages/_autocomplete",
  person: "/subjects_autocomplete?type=person",
  place: "/subjects_autocomplete?type=place",
  publisher: "/search/publishers.json",
  series: "/series/_autocomplete",
  subject: "/subjects_autocomplete?type=subject",
  time: "/subjects_autocomplete?type=time",
  work: "/works/_autocomplete",
};

const MATCHES_MAX = 10;

/** Finds records or terms whose names begin with a text. The key of a term is its name. */
export async function findByName(
  kind: PickKind,
  typed: string,
  context: RequestContext,
): Promise<readonly Pickable[]> {
  const limit = MATCHES_MAX;
  const text = typed.trim();
  if (text === "") return [];
  switch (kind) {
    case "author":
      return (await findCompletions({ scheme: "author", filters: [], text, limit }, context)).map(toAuthor);
    case "work":
      return (await findCompletions({ scheme: "work", filters: [], text, limit }, context)).map(toWork);
    case "series": {
      const filters = [equals("list_type", "series")];
      return (await findCompletions({ scheme: "list", filters, text, limit }, context)).map(toPickable);
    }
    case "language":
      return (await findLanguages(text, "shown", context)).slice(0, limit).map(({ shown }) => toTerm(shown));
    case "publisher":
      return (await findPublishers(text, context)).docs.slice(0, limit).map(({ name }) => toTerm(name));
    default: {
      const filters = [equals("subject_type", kind)];
      const subjects = await findCompletions({ scheme: "subject", filters, text, limit }, context);
      return subjects.map(({ name }) => toTerm(textOf(name) ?? ""));
    }
  }
}

function toTerm(name: string): Pickable {
  return { key: name, name };
}

function toPickable({ key, name }: Document): Pickable {
  return { key: textOf(key) ?? "", name: textOf(name) ?? "" };
}

function toAuthor(document: Document): Pickable {
  const { birth_date: born, death_date: died, top_work: work } = document;
  const dates = [born, died].map(textOf);
  const life = dates.some((date) => date !== undefined) ? dates.map((date) => date ?? "").join("–") : "";
  const { work_count: count } = document;
  const works = typeof count === "number" && t("merge.works_count", { count });
  const author = toPickable(document);
  return { ...author, note: noteOf([life, textOf(work), works, lastSegmentOf(author.key)]) };
}

function toWork({
  key,
  title,
  subtitle,
  author_name: authors,
  first_publish_year: year,
  edition_count: count,
}: Document): Pickable {
  const name = [textOf(title), textOf(subtitle)].filter(Boolean).join(": ");
  const olid = lastSegmentOf(textOf(key) ?? "");
  const editions = typeof count === "number" && t("book.editions", { count });
  const note = noteOf([
    ...stringsOf(authors).slice(0, 3),
    year === undefined ? "" : String(year),
    editions,
    olid,
  ]);
  return { key: textOf(key) ?? "", name, note };
}

function noteOf(pieces: readonly Piece[]): Piece {
  return commas(pieces.filter((piece) => piece !== undefined && piece !== false && piece !== ""));
}

export async function readPickedRecords(
  keys: readonly string[],
  context: RequestContext,
): Promise<ReadonlyMap<string, Pickable>> {
  const known = keys.filter((key) => key.startsWith("/"));
  const records = await readRecordMap(catalogReader(context), [...new Set(known)]);
  return new Map([...records].map(([key, record]) => [key, { key, name: nameOf(record) }]));
}
