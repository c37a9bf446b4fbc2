import * as z from "zod";
import { SHELVES, SHELF_KEYS, shelfOfKey } from "../../catalog/patrons/shelves.ts";
import { OPDS_TYPES, type Feed, type FeedLink, type Shelfmark } from "../../export/opds/feed.ts";
import { foundWorks } from "../../search/present/works.ts";
import { lendingOf } from "../holdings/lending-of.ts";
import { CarrelError, notFound } from "../http/errors.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, PRIVATE, jsonText } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { NAME } from "../http/settings.ts";
import { asBasicUser } from "../lookup/ils-user.ts";
import { filteredShelf } from "../patrons/reading/shelf-filter.ts";
import { workKey } from "../patrons/reading/parameters.ts";
import { askIndex } from "../search/guarded.ts";
import { FEED, OPDS_PAGE, OPEN_FIRST, WORK_FIELDS, editionKeys } from "./books.ts";
import { feedReply, opdsFile, opdsUrl } from "./feeds.ts";
import { type PatronHoldings, findPublications } from "./publications.ts";

const linkSchema = z.object({ rel: z.string(), href: z.string(), type: z.string() });
const documentSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  links: z.array(linkSchema),
  authentication: z.array(
    z.object({ type: z.string(), labels: z.object({ login: z.string(), password: z.string() }) }),
  ),
});

/** Makes the document that says how to log in (Authentication for OPDS 1.0). */
function authenticationDocument(context: RequestContext): z.infer<typeof documentSchema> {
  const page = (rel: string, path: string) => ({ rel, href: baseUrl(context) + path, type: "text/html" });
  return {
    id: opdsFile(context, "authentication.json"),
    title: NAME,
    description: "Log in to see your loans and your shelves.",
    links: [
      page("register", "/account/create"),
      page("help", "/help"),
      { rel: "start", href: `${baseUrl(context)}/opds.json`, type: OPDS_TYPES.feed },
    ],
    authentication: [
      {
        type: "http://opds-spec.org/auth/basic",
        labels: { login: "Username or e-mail address", password: "Password" },
      },
    ],
  };
}

/** `GET /opds/authentication.json`: how to log in. */
export const opdsAuthentication = operation({
  id: "opdsAuthentication",
  summary: "How e-book readers log in (Authentication for OPDS 1.0)",
  tag: "account",
  responses: {
    200: { description: "The document", contentType: OPDS_TYPES.authentication, schema: documentSchema },
  },
  handle: (_input, context) =>
    jsonText(JSON.stringify(authenticationDocument(context)), {
      contentType: OPDS_TYPES.authentication,
      cacheControl: "public, max-age=3600",
    }),
});

/**
 * Runs a handler for the patron whose session, or whose username and password, the request carries (Q382); answers other
 * requests with 401 and the authentication document.
 */
async function asPatron(
  context: RequestContext,
  handle: (username: string, context: RequestContext) => Promise<Reply>,
): Promise<Reply> {
  const session = await context.session();
  if (session !== undefined) return handle(session.username, context);
  const authenticated = await authenticate(context);
  const username = authenticated === undefined ? null : (await authenticated.actor()).username;
  if (authenticated !== undefined && username !== null) return handle(username, authenticated);
  return {
    status: 401,
    body: JSON.stringify(authenticationDocument(context)),
    contentType: OPDS_TYPES.authentication,
    cacheControl: PRIVATE,
    headers: { "WWW-Authenticate": `Basic realm="${baseUrl(context)}", charset="UTF-8"` },
  };
}

/** Reads username and password of a request; undefined if there are none, or wrong ones. */
async function authenticate(context: RequestContext): Promise<RequestContext | undefined> {
  try {
    return await asBasicUser(context);
  } catch (error) {
    if (error instanceof CarrelError && error.status === 401) return undefined;
    throw error;
  }
}

const PATRON_RESPONSES = {
  200: FEED,
  401: {
    description: "Who asks has to say who he is: how, as Authentication for OPDS",
    contentType: OPDS_TYPES.authentication,
  },
};

/** `GET /opds/shelves`: the patron's loans and shelves. */
export const opdsShelves = operation({
  id: "opdsShelves",
  summary: "The own loans and shelves, for e-book readers (OPDS)",
  tag: "reading",
  responses: PATRON_RESPONSES,
  handle: (_input, context) =>
    asPatron(context, async (_username, patronContext) => {
      const navigation: Shelfmark[] = [
        {
          title: "Loans",
          href: opdsUrl(patronContext, "/loans"),
          kind: "acquisition",
          summary: "What you have borrowed, and wait for",
        },
        ...SHELVES.map(({ key, name }): Shelfmark => {
          return { title: name, href: opdsUrl(patronContext, `/shelves/${key}`), kind: "acquisition" };
        }),
      ];
      return patronFeed({ title: "My books", kind: "navigation", path: "/shelves", navigation }, patronContext);
    }),
});

/** `GET /opds/shelves/{key}`: readable books of one of the patron's shelves. */
export const opdsShelf = operation({
  id: "opdsShelf",
  summary: "The books of an own shelf that can be read, for e-book readers (OPDS)",
  tag: "reading",
  path: { key: z.string().describe(SHELF_KEYS.join(", ")) },
  query: { page: integer(z.int().gte(1)).default(1) },
  responses: { ...PATRON_RESPONSES, 404: { description: "No such shelf" } },
  handle: ({ path: { key }, query: { page } }, context) =>
    asPatron(context, async (username, patronContext) => {
      const shelf = shelfOfKey(key);
      if (shelf === undefined) throw notFound();
      const patron = patronOf(patronContext.stores, username);
      const request = {
        shelf: shelf.id,
        filter: { q: "", ebooksOnly: true },
        start: (page - 1) * OPDS_PAGE,
        rows: OPDS_PAGE,
      };
      const [{ total, entries }, holdings] = await Promise.all([
        filteredShelf(patronContext, patron, request),
        readHoldings(username, patronContext),
      ]);
      const keys = entries.map(({ work }) => workKey(patronContext, work));
      const publications = await findPublications(await findOpenEditions(keys, patronContext), patronContext, holdings);
      const path = `/shelves/${key}`;
      const turn = (rel: string, to: number): FeedLink => {
        return { rel, href: opdsUrl(patronContext, path, [["page", String(to)]]), type: OPDS_TYPES.acquisition };
      };
      const links = [
        ...(page > 1 ? [turn("previous", page - 1)] : []),
        ...(page * OPDS_PAGE < total ? [turn("next", page + 1)] : []),
      ];
      const paging = { total, size: OPDS_PAGE, page };
      return patronFeed({ title: shelf.name, kind: "acquisition", path, publications, links, paging }, patronContext);
    }),
});

/** Returns the most open edition of each work. */
async function findOpenEditions(keys: readonly string[], context: RequestContext): Promise<string[]> {
  if (keys.length === 0) return [];
  const hits = await askIndex(context, "", (engine) =>
    engine.worksByKey(keys, { withEditions: true, fields: WORK_FIELDS }),
  );
  return editionKeys(foundWorks(hits, { clauses: [], language: "", words: [], sort: OPEN_FIRST }));
}

/** `GET /opds/loans`: the patron's loans and places in waiting lists. */
export const opdsLoans = operation({
  id: "opdsLoans",
  summary: "The own loans and places in queues, for e-book readers (OPDS)",
  tag: "lending",
  responses: PATRON_RESPONSES,
  handle: (_input, context) =>
    asPatron(context, async (username, patronContext) => {
      const holdings = await readHoldings(username, patronContext);
      const books = [...holdings.loans.values(), ...holdings.places.values()].map(({ book }) => book);
      const publications = await findPublications([...new Set(books)], patronContext, holdings);
      return patronFeed({ title: "Loans", kind: "acquisition", path: "/loans", publications }, patronContext);
    }),
});

async function readHoldings(username: string, context: RequestContext): Promise<PatronHoldings> {
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

type PatronFeed = Pick<Feed, "title" | "kind"> & Partial<Feed> & { readonly path: string };

function patronFeed({ path, links = [], ...parts }: PatronFeed, context: RequestContext): Reply {
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
