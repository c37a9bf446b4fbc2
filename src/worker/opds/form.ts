import { datetimeText } from "../../catalog/datetime.ts";
import { atomFeed } from "../../export/opds/atom.ts";
import { type Feed, type FeedLink, OPDS_TYPES } from "../../export/opds/feed.ts";
import { jsonFeed } from "../../export/opds/json.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { NAME } from "../http/settings.ts";

const SUFFIX = ".json";

/** OPDS 2.0 at addresses with `.json`, and for who accepts it; else OPDS 1.2, which older readers ask for by no type. */
export function isJsonForm({ url, request }: RequestContext): boolean {
  if (url.pathname.endsWith(SUFFIX)) return true;
  return (request.headers.get("Accept") ?? "").includes(OPDS_TYPES.feed);
}

/** Address of a document of the catalog, in the version that is asked for. */
export function opdsUrl(
  context: RequestContext,
  path: string,
  parameters: readonly (readonly [string, string])[] = [],
): string {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString();
  return `${baseUrl(context)}/opds${path}${isJsonForm(context) ? SUFFIX : ""}${query === "" ? "" : `?${query}`}`;
}

/** The same of what is a file whatever the version. */
export function opdsFile(context: RequestContext, name: string): string {
  return `${baseUrl(context)}/opds/${name}`;
}

/** RFC 3339, to the second. */
export function opdsTime(milliseconds: number): string {
  return `${datetimeText(milliseconds).slice(0, 19)}Z`;
}

/** When a document was made, and whose it is. */
export function signature(context: RequestContext): Pick<Feed, "updated" | "publisher"> {
  return { updated: opdsTime(context.now), publisher: { name: NAME, url: baseUrl(context) } };
}

/** What a feed is made of besides what all have. */
type FeedParts = Pick<Feed, "title" | "kind"> &
  Partial<Feed> & {
    readonly self: string;
    /** Who gets it, and how long it may be kept. */
    readonly cacheControl: string;
  };

/** A feed with the links that all have: itself, the beginning, the search, the patron's own shelves. */
export function feedReply({ self, cacheControl, ...parts }: FeedParts, context: RequestContext): Reply {
  const isJson = isJsonForm(context);
  const typeOf = (kind: Feed["kind"]): string => (isJson ? OPDS_TYPES.feed : OPDS_TYPES[kind]);
  const searched: FeedLink = isJson
    ? {
        rel: "search",
        href: `${opdsUrl(context, "/books")}?q={query}`,
        type: OPDS_TYPES.feed,
        isTemplate: true,
      }
    : { rel: "search", href: opdsFile(context, "search.xml"), type: OPDS_TYPES.search };
  const links: FeedLink[] = [
    { rel: "self", href: self, type: typeOf(parts.kind) },
    { rel: "start", href: opdsUrl(context, ""), type: typeOf("navigation") },
    searched,
    { rel: "http://opds-spec.org/shelf", href: opdsUrl(context, "/shelves"), type: typeOf("navigation") },
    ...(parts.links ?? []).map((link) =>
      isJson ? Object.assign({}, link, { type: OPDS_TYPES.feed }) : link,
    ),
  ];
  const empty = { ...signature(context), navigation: [], publications: [], facets: [] };
  const feed: Feed = { ...empty, ...parts, links };
  return opdsReply(
    { json: () => jsonFeed(feed), atom: () => atomFeed(feed), type: typeOf(feed.kind) },
    {
      cacheControl,
      context,
    },
  );
}

/** A document in the version that is asked for. */
export function opdsReply(
  document: { json(): unknown; atom(): string; readonly type: string },
  { cacheControl, context }: { readonly cacheControl: string; readonly context: RequestContext },
): Reply {
  const body = isJsonForm(context) ? JSON.stringify(document.json()) : document.atom();
  const contentType = isJsonForm(context) ? document.type : `${document.type};charset=utf-8`;
  return { status: 200, body, contentType, cacheControl, headers: { Vary: "Accept, Authorization, Cookie" } };
}
