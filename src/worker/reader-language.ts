import { readerLanguage } from "../catalog/language.ts";
import type { RequestContext } from "./context.ts";

const COOKIE = /(?:^|;\s*)HTTP_LANG=([a-z]{2})/i;

/** The language in which the reader wants names (lookup.md 0.3). */
export function languageOf({ url, request }: RequestContext): string {
  const cookie = COOKIE.exec(request.headers.get("Cookie") ?? "")?.[1];
  return readerLanguage([url.searchParams.get("lang"), cookie, request.headers.get("Accept-Language")]);
}

/** What answers in the reader's language vary by. */
export const VARY_LANGUAGE = "Accept-Language, Cookie";
