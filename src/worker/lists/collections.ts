import * as z from "zod";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { toListsPage } from "../../catalog/lists/list-view.ts";
import { type ListsOf, readLists } from "../../db/lists/read-lists.ts";
import { readTarget } from "../../db/redirects.ts";
import type { Window } from "../../db/statement.ts";
import { subjectKeyOf } from "../../search/documents/subject-key.ts";
import { canWriteLists } from "../http/access.ts";
import { notFound } from "../http/errors.ts";
import { type Parameters, type RequestContext, type Values, catalogReader } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { json } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { type ListsAbout, collectionPage } from "./collections-page.ts";
import { LISTS_CACHE_CONTROL } from "./list-operations.ts";

const LISTS_PAGE = { default: 50, max: 100 };

const query = {
  offset: integer(z.int().gte(0)).default(0),
  limit: integer(z.int().gte(0).lte(LISTS_PAGE.max)).default(LISTS_PAGE.default),
};
const answer = z
  .object({
    links: z.object({ self: z.string(), next: z.string().optional(), prev: z.string().optional() }),
    size: z.int().describe("Total number of lists"),
    entries: z.array(
      z.object({
        url: z.string(),
        full_url: z.string(),
        name: z.string(),
        seed_count: z.int(),
        last_update: z.string().optional(),
      }),
    ),
  })
  .meta({ id: "ListsJsonResponse" });
const digits = integer(z.int()).describe("Digits of the record's ID");

export const listsOfPatron = listsOperation({
  id: "listsOfPatron",
  summary: "List the lists of a patron",
  path: { username: z.string() },
  read: ({ username }, window, context) => readListsAbout(`/people/${username}`, window, context),
});

/** `GET /books/XX<id>M/lists.json`, and the routes for works and authors. */
export const listsWithEdition = listsWith("an edition", "edition_id", ["/books/", "M"]);
export const listsWithWork = listsWith("a work", "work_id", ["/works/", "W"]);
export const listsWithAuthor = listsWith("an author", "author_id", ["/authors/", "A"]);

/** Creates the operation for lists with a record, whose key is `folder`, the record prefix, its number and `letter`. */
function listsWith(what: string, name: string, [folder, letter]: readonly [folder: string, letter: string]) {
  const [, noun = ""] = what.split(" ");
  return listsOperation({
    id: `listsWith${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`,
    summary: `List the lists with ${what}`,
    path: { [name]: digits },
    read: (path, window, context) =>
      readListsAbout(`${folder}${context.settings.RECORD_PREFIX}${path[name]}${letter}`, window, context),
  });
}

/** `GET /subjects/<key>/lists.json`: subjects are never missing. */
export const listsWithSubject = listsOperation({
  id: "listsWithSubject",
  summary: "List the lists with a subject",
  path: { key: z.string().min(1).describe("Key of the subject, for example `love` or `person:tolkien`") },
  async read({ key }, window, context) {
    const of: ListsOf = { kind: "subject", seeds: subjectSeedsOf(key) };
    return { ...(await readLists(catalogReader(context), of, window)), self: `/subjects/${key}` };
  },
});

/** Creates an operation for a page of lists. */
function listsOperation<P extends Parameters>({
  read,
  ...named
}: {
  id: string;
  summary: string;
  path: P;
  read(path: Values<P>, window: Window, context: RequestContext): Promise<ListsAbout>;
}) {
  return resource({
    ...named,
    tag: "lists",
    query,
    responses: { 200: { description: "Page of lists, last changed first", schema: answer } },
    async read({ path, query: window }, context) {
      const lists = await read(path, window, context);
      const { self, size, entries } = lists;
      return { lists, body: toListsPage({ self, path: context.url.pathname, size, entries, ...window }) };
    },
    asJson: ({ lists: { size, entries, about }, body }) =>
      json(body, {
        etag: computeRevisionsEtag(
          entries,
          [size, about?.revision, ...entries.map(({ lastUpdate }) => lastUpdate)].join(" "),
        ),
        cacheControl: LISTS_CACHE_CONTROL,
      }),
    async page({ lists, body }, _input, context) {
      const mayAdd = lists.self.startsWith("/people/") && canWriteLists(await context.actor(), lists.self);
      return collectionPage(lists, { mayAdd, links: body["links"] });
    },
  });
}

/** Reads the lists of a patron or with a record. Follows redirects. Throws 404 if it does not exist or was deleted. */
async function readListsAbout(key: string, window: Window, context: RequestContext): Promise<ListsAbout> {
  const database = catalogReader(context);
  const read = async (self: string): Promise<ListsAbout> => {
    const of: ListsOf = self.startsWith("/people/")
      ? { kind: "owner", key: self, prefix: context.settings.RECORD_PREFIX }
      : { kind: "record", key: self };
    return { ...(await readLists(database, of, window)), self };
  };
  const lists = await read(key);
  const type = lists.about?.type;
  const isMerged = type === "/type/redirect";
  if (type !== undefined && !isMerged && type !== "/type/delete") return lists;
  const target = isMerged ? await readTarget(database, key) : undefined;
  // Q247: lists of a missing patron or record are not an empty page.
  if (target === undefined) throw notFound();
  return read(target);
}

const PREFIXED = /^(?:person|place|time|subject):/;
const SEED_BREAKS = /[, _]+/g;

/** Returns the seeds that may name a subject: its unchanged name, and the name by both rules for keys (Q248). */
function subjectSeedsOf(path: string): string[] {
  const prefix = PREFIXED.exec(path)?.[0] ?? "subject:";
  const name = path.replace(PREFIXED, "");
  const names = new Set([name, subjectKeyOf(name), name.toLowerCase().replace(SEED_BREAKS, "_")]);
  return [...names].map((seed) => prefix + seed);
}
