import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { renderAtomFeed } from "../../export/opds/atom.ts";
import { type Feed, type FeedLink, OPDS_TYPES } from "../../export/opds/feed.ts";
import { toJsonFeed } from "../../export/opds/json.ts";
import type { Failure } from "../http/failure.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";

const SUFFIX = ".json";
/** Q836: addresses of clients that only know OPDS 2.0. */
const OPDS_2_PATH = /^\/opds\/(?:search|authors\/\w+|works\/\w+)$/;

/**
 * Returns true for OPDS 2.0: at addresses with `.json`, and if the client accepts it. Clients of 1.2 accept no special
 * type, or Atom.
 */
export function isOpds2({ url: { pathname }, request }: RequestContext): boolean {
  if (pathname.endsWith(SUFFIX)) return true;
  const accepted = request.headers.get("Accept") ?? "";
  return accepted.includes(OPDS_TYPES.feed) || (OPDS_2_PATH.test(pathname) && !accepted.includes("atom+xml"));
}

export function opdsUrlOf(
  context: RequestContext,
  path: string,
  parameters: readonly (readonly [string, string])[] = [],
): string {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString();
  return `${baseUrl(context)}/opds${path}${isOpds2(context) ? SUFFIX : ""}${query === "" ? "" : `?${query}`}`;
}

export function opdsFileUrlOf(context: RequestContext, name: string): string {
  return `${baseUrl(context)}/opds/${name}`;
}

export function opdsTimeOf(milliseconds: number): string {
  return `${formatDatetime(milliseconds).slice(0, 19)}Z`;
}

type FeedParts = Pick<Feed, "title" | "kind"> &
  Partial<Feed> & {
    readonly self: string;
    readonly cacheControl: string;
  };

export async function makeFeedReply(
  { self, cacheControl, ...parts }: FeedParts,
  context: RequestContext,
): Promise<Reply> {
  const isJson = isOpds2(context);
  const typeOf = (kind: Feed["kind"]): string => (isJson ? OPDS_TYPES.feed : OPDS_TYPES[kind]);
  const search: FeedLink = isJson
    ? {
        rel: "search",
        // KOReader replaces the whole template by `?query=`.
        href: `${opdsUrlOf(context, "/books")}{?query}`,
        type: OPDS_TYPES.feed,
        isTemplate: true,
      }
    : { rel: "search", href: opdsFileUrlOf(context, "search.xml"), type: OPDS_TYPES.search };
  const links: FeedLink[] = [
    { rel: "self", href: self, type: typeOf(parts.kind) },
    { rel: "start", href: opdsUrlOf(context, ""), type: typeOf("navigation") },
    search,
    { rel: "http://opds-spec.org/shelf", href: opdsUrlOf(context, "/shelves"), type: typeOf("navigation") },
    ...(parts.links ?? []).map((link) =>
      isJson ? Object.assign({}, link, { type: OPDS_TYPES.feed }) : link,
    ),
  ];
  const feed: Feed = {
    updated: opdsTimeOf(context.now),
    publisher: { name: (await context.site()).name, url: baseUrl(context) },
    navigation: [],
    publications: [],
    facets: [],
    ...parts,
    links,
  };
  const document = {
    json: () => toJsonFeed(feed),
    atom: () => renderAtomFeed(feed),
    type: typeOf(feed.kind),
  };
  return makeOpdsReply(document, { cacheControl, context });
}

export function makeOpdsReply(
  document: { json(): unknown; atom(): string; type: string },
  { cacheControl, context }: { cacheControl: string; context: RequestContext },
): Reply {
  const body = isOpds2(context) ? JSON.stringify(document.json()) : document.atom();
  const contentType = isOpds2(context) ? document.type : `${document.type};charset=utf-8`;
  return { status: 200, body, contentType, cacheControl, headers: { Vary: "Accept, Authorization, Cookie" } };
}

/** Schema of a failed validation in the body of an error. */
const validation = z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() }));

/** Renders an error as a feed whose title is its message, or as problem details for OPDS 2.0 (Q673). */
export async function opdsError(error: Failure, context: RequestContext): Promise<Reply> {
  const { status, headers, message, body } = error;
  const { data: failures } = validation.safeParse(body?.["detail"]);
  const text = failures?.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join("; ") ?? message;
  const reply = isOpds2(context)
    ? json(
        { title: text, status, errors: failures },
        { contentType: OPDS_TYPES.problem, cacheControl: NO_STORE },
      )
    : await makeFeedReply(
        {
          title: text,
          kind: "navigation",
          self: baseUrl(context) + context.url.pathname,
          cacheControl: NO_STORE,
        },
        context,
      );
  return { ...reply, status, headers: { ...reply.headers, ...headers } };
}

export function errorResponse(description: string) {
  return { description, contentType: "application/atom+xml", also: [OPDS_TYPES.problem] };
}

/** Errors of all operations. */
export const OPDS_ERRORS = {
  400: errorResponse("Bad request"),
  413: errorResponse("Response too large"),
  429: errorResponse("Too many requests"),
  503: errorResponse("Service unavailable"),
};
export const INVALID = errorResponse("Invalid parameters");
export const NO_SHELF = errorResponse("Shelf not found");
export const NO_BOOK = errorResponse("Edition not found, or not available to read or borrow");
