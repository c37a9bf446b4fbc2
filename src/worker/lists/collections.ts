import * as z from "zod";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { type ListEntry, listUrlOf, toListsPage } from "../../catalog/lists/list-view.ts";
import { type Json, isObject, textOf } from "../../catalog/record.ts";
import { type ListsFound, type ListsOf, readLists } from "../../db/lists/read-lists.ts";
import { nameText } from "../../db/records/titles.ts";
import { readTarget } from "../../db/redirects.ts";
import type { Window } from "../../db/statement.ts";
import { subjectKeyOf } from "../../search/documents/subject-key.ts";
import { wantsHtml } from "../http/accept.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, json } from "../http/reply.ts";
import { nameAddressOf } from "../search/result-parts.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup, shortText } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { LISTS_CACHE_CONTROL } from "./list-operations.ts";
import { canWriteLists } from "../http/access.ts";
import { table } from "../ui/table.ts";
import { moment, number, t } from "../ui/words.ts";

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
const responses = { 200: { description: "Page of lists, last changed first", schema: answer } };
const digits = integer(z.int()).describe("Digits of the record's ID");

export const listsOfPatron = operation({
  id: "listsOfPatron",
  summary: "List the lists of a patron",
  tag: "lists",
  path: { username: z.string() },
  query,
  responses,
  handle: ({ path, query: window }, context) => recordLists(`/people/${path.username}`, window, context),
});

/** `GET /books/XX<id>M/lists.json`, and the routes for works and authors. */
export const listsWithEdition = listsWith("an edition", "edition_id", ["/books/", "M"]);
export const listsWithWork = listsWith("a work", "work_id", ["/works/", "W"]);
export const listsWithAuthor = listsWith("an author", "author_id", ["/authors/", "A"]);

/** Creates the operation for lists with a record, whose key is `folder`, the record prefix, its number and `letter`. */
function listsWith(what: string, name: string, [folder, letter]: readonly [folder: string, letter: string]) {
  const [, noun = ""] = what.split(" ");
  return operation({
    id: `listsWith${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`,
    summary: `List the lists with ${what}`,
    tag: "lists",
    path: { [name]: digits },
    query,
    responses,
    handle: ({ path, query: window }, context) =>
      recordLists(`${folder}${context.settings.RECORD_PREFIX}${path[name]}${letter}`, window, context),
  });
}

/** `GET /subjects/<key>/lists.json`: subjects are never missing. */
export const listsWithSubject = operation({
  id: "listsWithSubject",
  summary: "List the lists with a subject",
  tag: "lists",
  path: { key: z.string().min(1).describe("Key of the subject, for example `love` or `person:tolkien`") },
  query,
  responses,
  async handle({ path: { key }, query: window }, context) {
    const of: ListsOf = { kind: "subject", seeds: subjectSeedsOf(key) };
    const lists = await readLists(catalogReader(context), of, window);
    return replyWith({ ...lists, self: `/subjects/${key}` }, window, context);
  },
});

/** Page of lists, and the key of the patron, record or subject that they belong to, after redirects. */
type ListsAbout = ListsFound & { self: string };

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
  if (isLive(lists)) return lists;
  const isMerged = lists.about?.type === "/type/redirect";
  const target = isMerged ? await readTarget(database, key) : undefined;
  // Q247: lists of a missing patron or record are not an empty page.
  if (target === undefined) throw notFound();
  return read(target);
}

function isLive({ about }: ListsFound): boolean {
  return about !== undefined && about.type !== "/type/redirect" && about.type !== "/type/delete";
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

async function renderPage(lists: ListsAbout, links: Json | undefined, context: RequestContext) {
  const { self, size, entries } = lists;
  const neighbours = isObject(links) ? links : {};
  const name = nameOf(lists);
  const isOwner = self.startsWith("/people/");
  const mayAdd = isOwner && canWriteLists(await context.actor(), self);
  const back = self.startsWith("/subjects/") ? nameAddressOf(self) : addressOf(self);
  return page({
    title: t(isOwner ? "lists.by" : "lists.with", { name }),
    body: markup`<p>${link(back, markup`<bdi>${name}</bdi>`)} · ${t("lists.count", { count: size })}</p>
${mayAdd && markup`<p><a class="button primary" href="${addressOf(self)}/lists/add">${t("listform.make")}</a></p>`}
${entries.length > 0 && listTable(entries, t("lists.newest"), t("lists.newest_entry"))}
${pageLinks(textOf(neighbours["prev"]), textOf(neighbours["next"]))}`,
  });
}

/** Renders a table of lists. `time` is the heading of the column with their `lastUpdate`. */
export function listTable(entries: readonly ListEntry[], caption: Piece, time: Piece): Markup {
  return table({
    caption,
    columns: [t("lists.name"), t("lists.of"), t("lists.entries"), time],
    rows: entries.map(({ key, name, seedCount, lastUpdate }) => [
      link(addressOf(listUrlOf(key, name)), name === "" ? t("list.list_without_name") : shortText(name)),
      ownerLink(key),
      number(seedCount),
      lastUpdate === null ? "–" : moment(lastUpdate),
    ]),
  });
}

function ownerLink(key: string): Markup {
  const owner = /^\/people\/([^/]+)\//.exec(key)?.[1];
  if (owner !== undefined) return link(addressOf(`/people/${owner}`), owner);
  return t(key.startsWith("/series/") ? "lists.of_series" : "lists.community");
}

function nameOf({ self, about }: ListsAbout): string {
  const last = self.slice(self.lastIndexOf("/") + 1);
  if (about === undefined) return self.slice("/subjects/".length).replaceAll("_", " ");
  const name = nameText(about.name) ?? "";
  return shortText(name === "" ? last : name);
}

async function recordLists(key: string, window: Window, context: RequestContext): Promise<Reply> {
  return replyWith(await readListsAbout(key, window, context), window, context);
}

async function replyWith(lists: ListsAbout, window: Window, context: RequestContext): Promise<Reply> {
  const { pathname } = context.url;
  const { self, size, entries, about } = lists;
  const body = toListsPage({ self, path: pathname, size, entries, ...window });
  if (!pathname.endsWith(".json") && wantsHtml(context.request)) {
    return renderPage(lists, body["links"], context);
  }
  return json(body, {
    etag: computeRevisionsEtag(
      entries,
      [size, about?.revision, ...entries.map(({ lastUpdate }) => lastUpdate)].join(" "),
    ),
    cacheControl: LISTS_CACHE_CONTROL,
    headers: { Vary: "Accept" },
  });
}
