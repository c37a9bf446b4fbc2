import * as z from "zod";
import { SHELVES, SHELF_KEYS, shelfOfKey } from "../../catalog/patrons/shelves.ts";
import { type Feed, type FeedLink, type NavigationEntry, OPDS_TYPES } from "../../export/opds/feed.ts";
import { toFoundWorks } from "../../search/present/works.ts";
import { lendingOf } from "../lending/service/lending-of.ts";
import { notFound } from "../http/errors.ts";
import { Failure, failure } from "../http/failure.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, PRIVATE, jsonText } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { authenticateBasic } from "../lookup/ils-user.ts";
import { searchShelf } from "../patrons/reading/shelf-filter.ts";
import { workKey } from "../patrons/reading/own-data.ts";
import { askIndex } from "../search/guarded.ts";
import { FEED, OPDS_PAGE, OPEN_FIRST, OPDS_WORK_FIELDS, editionKeysOf } from "./books.ts";
import {
  INVALID,
  NO_SHELF,
  OPDS_ERRORS,
  isOpds2,
  makeFeedReply,
  opdsError,
  opdsFileUrlOf,
  opdsUrlOf,
} from "./feeds.ts";
import { type PatronHoldings, readPublications } from "./publications.ts";
import { english } from "../../catalog/texts.ts";

const LOG_IN = { key: "unauthenticated.opds" } as const;

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

async function authenticationDocument(context: RequestContext): Promise<z.infer<typeof documentSchema>> {
  const page = (rel: string, path: string) => ({ rel, href: baseUrl(context) + path, type: "text/html" });
  return {
    id: opdsFileUrlOf(context, "authentication.json"),
    title: (await context.site()).name,
    description: english(LOG_IN),
    links: [
      page("register", "/account/create"),
      page("help", "/help"),
      { rel: "start", href: `${baseUrl(context)}/opds.json`, type: OPDS_TYPES.feed },
    ],
    authentication: [
      {
        type: "http://opds-spec.org/auth/basic",
        labels: { login: "Username or email address", password: "Password" },
      },
    ],
  };
}

export const opdsAuthentication = operation({
  id: "opdsAuthentication",
  summary: "Get the authentication document (Authentication for OPDS 1.0)",
  tag: "account",
  responses: {
    200: {
      description: "Authentication document",
      contentType: OPDS_TYPES.authentication,
      schema: documentSchema,
    },
  },
  handle: async (_input, context) =>
    jsonText(JSON.stringify(await authenticationDocument(context)), {
      contentType: OPDS_TYPES.authentication,
      cacheControl: "public, max-age=60",
    }),
});

interface OpdsPatron {
  username: string;
  context: RequestContext;
}

/** Finds the patron of a session, or of a username and password (Q382); undefined if there is none. */
async function findPatron(context: RequestContext): Promise<OpdsPatron | undefined> {
  const session = await context.session();
  if (session !== undefined) return { username: session.username, context };
  const authenticated = await authenticateBasic(context).catch((error: unknown) => {
    // Wrong credentials get the authentication document, too.
    if (error instanceof Failure && error.status === 401) return undefined;
    throw error;
  });
  if (authenticated === undefined) return undefined;
  const { username } = await authenticated.actor();
  return username === null ? undefined : { username, context: authenticated };
}

/** Answers with the authentication document, or with an error that links to it for readers of Atom alone. */
async function loginRequired(context: RequestContext): Promise<Reply> {
  const document = await authenticationDocument(context);
  const link = `<${document.id}>; rel="http://opds-spec.org/auth/document"; type="${OPDS_TYPES.authentication}"`;
  const headers = { "WWW-Authenticate": `Basic realm="${baseUrl(context)}", charset="UTF-8"`, Link: link };
  const accepted = context.request.headers.get("Accept") ?? "";
  if (!isOpds2(context) && !accepted.includes(OPDS_TYPES.authentication)) {
    const error = failure(LOG_IN.key, {}, { code: "authentication_required", headers });
    return { ...(await opdsError(error, context)), cacheControl: PRIVATE };
  }
  return {
    status: 401,
    body: JSON.stringify(document),
    contentType: OPDS_TYPES.authentication,
    cacheControl: PRIVATE,
    headers,
  };
}

const PATRON_RESPONSES = {
  ...OPDS_ERRORS,
  200: FEED,
  401: {
    description: "Login required: authentication document, or in OPDS 1.2 a feed that links to it",
    contentType: OPDS_TYPES.authentication,
    also: ["application/atom+xml"],
  },
};

export const opdsShelves = operation({
  id: "opdsShelves",
  summary: "List the patron's loans and shelves (OPDS)",
  tag: "reading",
  responses: PATRON_RESPONSES,
  async handle(_input, context) {
    const patron = await findPatron(context);
    if (patron === undefined) return loginRequired(context);
    const navigation: NavigationEntry[] = [
      {
        title: "Loans",
        href: opdsUrlOf(context, "/loans"),
        kind: "acquisition",
        summary: "Your loans and holds",
      },
      ...SHELVES.map(({ key, name }): NavigationEntry => {
        return { title: name, href: opdsUrlOf(context, `/shelves/${key}`), kind: "acquisition" };
      }),
    ];
    return patronFeed({ title: "My books", kind: "navigation", path: "/shelves", navigation }, context);
  },
});

export const opdsShelf = operation({
  id: "opdsShelf",
  summary: "List the readable books of the patron's shelf (OPDS)",
  tag: "reading",
  path: { key: z.string().describe(SHELF_KEYS.join(", ")) },
  query: { page: integer(z.int().gte(1)).default(1) },
  responses: { ...PATRON_RESPONSES, 404: NO_SHELF, 422: INVALID },
  async handle({ path: { key }, query: { page } }, context) {
    const patron = await findPatron(context);
    if (patron === undefined) return loginRequired(context);
    const shelf = shelfOfKey(key);
    if (shelf === undefined) throw notFound();
    const request = {
      shelf: shelf.id,
      filter: { q: "", ebooksOnly: true },
      start: (page - 1) * OPDS_PAGE,
      rows: OPDS_PAGE,
    };
    const [{ total, entries }, holdings] = await Promise.all([
      searchShelf(patron.context, patronOf(context.stores, patron.username), request),
      readHoldings(patron),
    ]);
    const keys = entries.map(({ work }) => workKey(context, work));
    const editions = await findOpenEditions(keys, patron.context);
    const publications = await readPublications(editions, patron.context, holdings);
    const path = `/shelves/${key}`;
    const pageLink = (rel: string, to: number): FeedLink => {
      return { rel, href: opdsUrlOf(context, path, [["page", String(to)]]), type: OPDS_TYPES.acquisition };
    };
    const links = [
      ...(page > 1 ? [pageLink("previous", page - 1)] : []),
      ...(page * OPDS_PAGE < total ? [pageLink("next", page + 1)] : []),
    ];
    const paging = { total, size: OPDS_PAGE, page };
    return patronFeed({ title: shelf.name, kind: "acquisition", path, publications, links, paging }, context);
  },
});

async function findOpenEditions(keys: readonly string[], context: RequestContext): Promise<string[]> {
  if (keys.length === 0) return [];
  const hits = await askIndex(context, "", (engine) =>
    engine.worksByKey(keys, { withEditions: true, fields: OPDS_WORK_FIELDS }),
  );
  return editionKeysOf(toFoundWorks(hits, { clauses: [], language: "", words: [], sort: OPEN_FIRST }));
}

export const opdsLoans = operation({
  id: "opdsLoans",
  summary: "List the patron's loans and holds (OPDS)",
  tag: "lending",
  responses: PATRON_RESPONSES,
  async handle(_input, context) {
    const patron = await findPatron(context);
    if (patron === undefined) return loginRequired(context);
    const holdings = await readHoldings(patron);
    const books = [...holdings.loans.values(), ...holdings.places.values()].map(({ book }) => book);
    const publications = await readPublications([...new Set(books)], patron.context, holdings);
    return patronFeed({ title: "Loans", kind: "acquisition", path: "/loans", publications }, context);
  },
});

async function readHoldings({ username, context }: OpdsPatron): Promise<PatronHoldings> {
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

function patronFeed({ path, links = [], ...parts }: PatronFeed, context: RequestContext): Promise<Reply> {
  const up = {
    rel: "up",
    href: opdsUrlOf(context, path === "/shelves" ? "" : "/shelves"),
    type: OPDS_TYPES.navigation,
  };
  return makeFeedReply(
    { ...parts, self: opdsUrlOf(context, path), links: [up, ...links], cacheControl: PRIVATE },
    context,
  );
}
