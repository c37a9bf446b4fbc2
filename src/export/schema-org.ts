import { type LookupConfig, firstImageOf } from "../catalog/lookup/bundle.ts";
import { parseDate } from "../catalog/publication-date.ts";
import { type CatalogRecord, type JsonObject, stringsOf, textOf } from "../catalog/record.ts";
import { type Agent, type AgentRole, agentOf, agentsInRole } from "./agents.ts";
import { type Book, allNumbersOf, allTitlesOf, isbnOf, tagOf } from "./book.ts";
import { exportDateOf } from "./dates.ts";
import { SCHEMA_ORG } from "./formats.ts";
import { dropEmptyMembers, sameAsUrlsOf } from "./values.ts";

/** Converts a work or edition to a schema.org Book, without its context. */
export function toSchemaBook(book: Book): JsonObject {
  const by = (role: AgentRole) => agentsInRole(book, role).map(toSchemaAgent);
  return dropEmptyMembers({
    "@type": "Book",
    "@id": book.url,
    url: book.url,
    name: book.title,
    alternativeHeadline: book.subtitle,
    alternateName: allTitlesOf(book),
    author: by("author"),
    editor: by("editor"),
    translator: by("translator"),
    illustrator: by("illustrator"),
    contributor: by("contributor"),
    publisher: book.publishers.map((name) => ({ "@type": "Organization", name })),
    locationCreated: book.publishPlaces.map((name) => ({ "@type": "Place", name })),
    datePublished: exportDateOf(book.issued).iso,
    inLanguage: book.languages.map(tagOf),
    isbn: isbnOf(book),
    bookEdition: book.edition,
    bookFormat: formatOf(book.format),
    numberOfPages: book.pages,
    image: book.coverUrl,
    description: book.description,
    genre: book.genres,
    about: [
      ...book.subjects.map((name) => ({ "@type": "Thing", name })),
      ...book.people.map((name) => ({ "@type": "Person", name })),
    ],
    spatialCoverage: book.subjectPlaces,
    temporalCoverage: book.times,
    isPartOf: book.series.map(({ title, number }) =>
      dropEmptyMembers({ "@type": "BookSeries", name: title, position: number }),
    ),
    sameAs: sameAsUrlsOf(allNumbersOf(book)),
    exampleOfWork: book.work && { "@type": "Book", "@id": book.work.url, name: book.work.title },
    workExample: book.editions.map(({ url, title, isbn }) =>
      dropEmptyMembers({ "@type": "Book", "@id": url, name: title, isbn }),
    ),
  });
}

function toSchemaAgent(agent: Agent): JsonObject {
  const { name, kind, url, born, died } = agent;
  return dropEmptyMembers({
    "@type": kind === "person" ? "Person" : "Organization",
    "@id": url,
    url,
    name,
    ...(kind === "person" && { birthDate: formatLifeDate(born), deathDate: formatLifeDate(died) }),
  });
}

/** Converts an author to a schema.org Person or Organization, without its context. */
export function toSchemaAuthor(record: CatalogRecord, { baseUrl, coversUrl }: LookupConfig): JsonObject {
  const agent = agentOf(record, baseUrl);
  const photo = firstImageOf(record["photos"]);
  const wikipedia = textOf(record["wikipedia"]);
  return dropEmptyMembers({
    ...toSchemaAgent(agent),
    alternateName: [...new Set(stringsOf(record["alternate_names"]))],
    description: textOf(record["bio"])?.trim().slice(0, DESCRIPTION_LENGTH),
    image: photo === undefined ? undefined : `${coversUrl}/a/id/${photo}-L.jpg`,
    sameAs: [
      ...sameAsUrlsOf(agent.numbers),
      ...(wikipedia === undefined || wikipedia === "" ? [] : [wikipedia]),
    ],
  });
}

/** Maximum length of a biography, in characters. */
const DESCRIPTION_LENGTH = 10_000;

function formatLifeDate(text: string | undefined): string | undefined {
  return exportDateOf(parseDate(text ?? "")).iso;
}

const FORMATS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/audio|^mp3|cassette/i, "AudiobookFormat"],
  [/e-?book|electronic|kindle|epub|pdf/i, "EBook"],
  [/graphic novel|comic/i, "GraphicNovel"],
  [/paper|softcover|soft cover|mass market/i, "Paperback"],
  [/hard|cloth|library binding/i, "Hardcover"],
];

function formatOf(format: string | undefined): string | undefined {
  const [, name] = FORMATS.find(([pattern]) => format !== undefined && pattern.test(format)) ?? [];
  return name === undefined ? undefined : `${SCHEMA_ORG}/${name}`;
}
