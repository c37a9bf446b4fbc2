import type { RequestContext } from "../context.ts";

const PRINT_DISABLED = /(?:^|;\s*)pd=[^;\s]/;
const EDITIONS = /(?:^|;\s*)SOLR_EDITIONS=([^;]*)/;
const SESSION = /(?:^|;\s*)session=/;

/** Whether the reader has the cookie of print-disabled patrons, to whom more books are open (lookup.md 0.3). */
export function isPrintDisabled({ request }: RequestContext): boolean {
  return PRINT_DISABLED.test(request.headers.get("Cookie") ?? "");
}

/** Whether best editions may be chosen: `editions=`, else a cookie, else yes (search.md 1). */
export function choosesEditions({ url, request }: RequestContext): boolean {
  const cookie = EDITIONS.exec(request.headers.get("Cookie") ?? "")?.[1];
  const setting = url.searchParams.getAll("editions").at(-1) ?? cookie;
  return setting === undefined || setting.trim().toLowerCase() === "true";
}

/** Whether the reader has no account that the answer could depend on. */
export function isAnonymous({ request }: RequestContext): boolean {
  const { headers } = request;
  return !headers.has("Authorization") && !SESSION.test(headers.get("Cookie") ?? "");
}
