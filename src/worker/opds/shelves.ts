import * as z from "zod";
import { SHELVES, SHELF_KEYS, shelfOfKey } from "../../catalog/patrons/shelves.ts";
import { OPDS_TYPES, type Feed, type FeedLink, type Shelfmark } from "../../export/opds/feed.ts";
import { foundWorks } from "../../search/present/works.ts";
import { lendingOf } from "../holdings/lending-of.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, PRIVATE } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { filteredShelf } from "../patrons/reading/shelf-filter.ts";
import { workKey } from "../patrons/reading/parameters.ts";
import { askIndex } from "../search/guarded.ts";
import { asReader } from "./authentication.ts";
import { FEED, OPDS_PAGE, OPEN_FIRST, WORK_FIELDS, editionKeys } from "./books.ts";
import { feedReply, opdsUrl } from "./form.ts";
import { type Held, publicationsOf } from "./publications.ts";

const OWN = {
  200: FEED,
  401: {
    description: "Login required, as Authentication for OPDS",
    contentType: OPDS_TYPES.authentication,
  },
};

/** `GET /opds/shelves`: what the patron who asks has. */
export const opdsShelves = operation({
  id: "opdsShelves",
  summary: "The own loans and shelves, for e-book readers (OPDS)",
  tag: "reading",
  responses: OWN,
  handle: (_input, context) =>
    asReader(context, async (_reader, own) => {
      const navigation: Shelfmark[] = [
        {
          title: "Loans",
          href: opdsUrl(own, "/loans"),
          kind: "acquisition",
          summary: "What you have borrowed, and wait for",
        },
        ...SHELVES.map(({ key, name }): Shelfmark => {
          return { title: name, href: opdsUrl(own, `/shelves/${key}`), kind: "acquisition" };
        }),
      ];
      return ownFeed({ title: "My books", kind: "navigation", path: "/shelves", navigation }, own);
    }),
});

/** `GET /opds/shelves/want-to-read`: the books of a shelf that can be read. */
export const opdsShelf = operation({
  id: "opdsShelf",
  summary: "The books of an own shelf that can be read, for e-book readers (OPDS)",
  tag: "reading",
  path: { key: z.string().describe(SHELF_KEYS.join(", ")) },
  query: { page: integer(z.int().gte(1)).default(1) },
  responses: { ...OWN, 404: { description: "No such shelf" } },
  handle: ({ path: { key }, query: { page } }, context) =>
    asReader(context, async ({ username }, own) => {
      const shelf = shelfOfKey(key);
      if (shelf === undefined) throw notFound();
      const patron = patronOf(own.stores, username);
      const part = {
        shelf: shelf.id,
        filter: { q: "", ebooksOnly: true },
        start: (page - 1) * OPDS_PAGE,
        rows: OPDS_PAGE,
      };
      const [{ total, entries }, held] = await Promise.all([
        filteredShelf(own, patron, part),
        heldBy(username, own),
      ]);
      const keys = entries.map(({ work }) => workKey(own, work));
      const publications = await publicationsOf(await openEditions(keys, own), own, held);
      const path = `/shelves/${key}`;
      const turn = (rel: string, to: number): FeedLink => {
        return { rel, href: opdsUrl(own, path, [["page", String(to)]]), type: OPDS_TYPES.acquisition };
      };
      const links = [
        ...(page > 1 ? [turn("previous", page - 1)] : []),
        ...(page * OPDS_PAGE < total ? [turn("next", page + 1)] : []),
      ];
      const paging = { total, size: OPDS_PAGE, page };
      return ownFeed({ title: shelf.name, kind: "acquisition", path, publications, links, paging }, own);
    }),
});

/** The most open edition of each work. */
async function openEditions(keys: readonly string[], context: RequestContext): Promise<string[]> {
  if (keys.length === 0) return [];
  const hits = await askIndex(context, "", (engine) =>
    engine.worksByKey(keys, { withEditions: true, fields: WORK_FIELDS }),
  );
  return editionKeys(foundWorks(hits, { clauses: [], language: "", words: [], sort: OPEN_FIRST }));
}

/** `GET /opds/loans`: what the patron who asks has borrowed, and waits for. */
export const opdsLoans = operation({
  id: "opdsLoans",
  summary: "The own loans and places in queues, for e-book readers (OPDS)",
  tag: "lending",
  responses: OWN,
  handle: (_input, context) =>
    asReader(context, async ({ username }, own) => {
      const held = await heldBy(username, own);
      const books = [...held.loans.values(), ...held.places.values()].map(({ book }) => book);
      const publications = await publicationsOf([...new Set(books)], own, held);
      return ownFeed({ title: "Loans", kind: "acquisition", path: "/loans", publications }, own);
    }),
});

async function heldBy(username: string, context: RequestContext): Promise<Held> {
  const lending = lendingOf(context);
  const [loans, places] = await Promise.all([
    lending.loans({ username }),
    lending.places({ borrower: { username } }),
  ]);
  return {
    loans: new Map(loans.map((loan) => [loan.ocaid, loan])),
    places: new Map(places.map((place) => [place.ocaid, place])),
  };
}

type OwnFeed = Pick<Feed, "title" | "kind"> & Partial<Feed> & { readonly path: string };

function ownFeed({ path, links = [], ...parts }: OwnFeed, context: RequestContext): Reply {
  const up = {
    rel: "up",
    href: opdsUrl(context, path === "/shelves" ? "" : "/shelves"),
    type: OPDS_TYPES.navigation,
  };
  return feedReply(
    { ...parts, self: opdsUrl(context, path), links: [up, ...links], cacheControl: PRIVATE },
    context,
  );
}
