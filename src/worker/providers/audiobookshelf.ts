import * as z from "zod";
import { agentRoleOf } from "../../export/agents.ts";
import { exportDateOf } from "../../export/dates.ts";
import { seriesOf } from "../../export/opds/feed.ts";
import { type Book, isbnOf, languageTagOf } from "../../export/book.ts";
import { operation } from "../http/operation.ts";
import { json } from "../http/reply.ts";
import { searchCacheControl } from "../search/guarded.ts";
import { provideBooks, provideEdition } from "./find-books.ts";

const MATCHES_MAX = 10;
const TAGS_MAX = 20;
const NARRATOR = /narrat|^read(?:er| by)|vorleser|lecteur/i;

const text = z.string().optional();
const match = z
  .object({
    title: z.string(),
    subtitle: text,
    author: text,
    narrator: text,
    publisher: text,
    publishedYear: text,
    description: text,
    cover: text.describe("Address of the cover"),
    isbn: text,
    asin: text,
    genres: z.array(z.string()).optional(),
    tags: z.array(z.string()).optional(),
    series: z.array(z.object({ series: z.string(), sequence: text })).optional(),
    language: text,
  })
  .meta({ id: "AudiobookshelfMatch" });

/** Custom metadata provider of audiobookshelf: https://github.com/advplyr/audiobookshelf */
export const audiobookshelfSearch = operation({
  id: "audiobookshelfSearch",
  summary: "Search metadata for audiobookshelf",
  tag: "lookup",
  query: {
    query: z.string().max(1000).default("").describe("Title"),
    author: z.string().max(1000).default(""),
    isbn: z.string().max(100).default("").describe("ISBN of an edition, which is then the only match"),
    mediaType: z.string().optional().describe("`podcast` has no matches"),
  },
  responses: { 200: { description: "Matches, best first", schema: z.object({ matches: z.array(match) }) } },
  async handle({ query: { query: title, author, isbn, mediaType } }, context) {
    const options = { cacheControl: searchCacheControl(context) };
    if (mediaType === "podcast") return json({ matches: [] }, options);
    const edition = isbn === "" ? undefined : await provideEdition(isbn, context);
    if (edition !== undefined) return json({ matches: [toMatch(edition)] }, options);
    const byTitle = title === "" ? [] : await provideBooks({ title, author, limit: MATCHES_MAX }, context);
    const q = `${title} ${author}`.trim();
    const books =
      byTitle.length > 0 || q === "" ? byTitle : await provideBooks({ q, limit: MATCHES_MAX }, context);
    return json({ matches: books.map(toMatch) }, options);
  },
});

function toMatch(book: Book): z.output<typeof match> {
  const { agents, issued, genres, subjects } = book;
  const authors = agents.filter((agent) => agentRoleOf(agent) === "author").map(({ name }) => name);
  const narrators = agents.filter(({ role = "" }) => NARRATOR.test(role)).map(({ name }) => name);
  const { single } = exportDateOf(issued);
  // Series of an edition are texts: those of its work have a name and a position.
  const series = seriesOf(book.workSeries.length === 0 ? book : { ...book, series: [] }).map(
    ({ name, position }) => ({
      series: name,
      sequence: position === undefined ? undefined : String(position),
    }),
  );
  return {
    title: book.title,
    subtitle: book.subtitle,
    author: authors.join(", ") || undefined,
    narrator: narrators.join(", ") || undefined,
    publisher: book.publishers[0],
    publishedYear: single === undefined ? undefined : String(single.year),
    description: book.description,
    cover: book.coverUrl,
    isbn: isbnOf(book),
    asin: book.numbers.find(([source]) => source === "amazon")?.[1],
    genres: genres.length === 0 ? undefined : genres,
    tags: subjects.length === 0 ? undefined : subjects.slice(0, TAGS_MAX),
    series: series.length === 0 ? undefined : series,
    language: languageTagOf(book),
  };
}
