import { readerLanguage } from "../../catalog/language.ts";
import type { RequestContext } from "./operation.ts";
import { chosenLanguage } from "./pages/language.ts";
import { type Reply, privateJson } from "./reply.ts";

/** Returns true if `Accept` ranks HTML above JSON. Without the header, and for `*` + `/*`, the answer is JSON. */
export function wantsHtml(request: Request): boolean {
  const accept = request.headers.get("Accept");
  if (accept === null || !/html|text\//i.test(accept)) return false;
  const ranges = accept.split(",").map(mediaRange);
  const html = Math.max(quality(ranges, "text/html"), quality(ranges, "application/xhtml+xml"));
  return html > quality(ranges, "application/json");
}

/**
 * Returns true if `Accept` ranks JSON highest, the first of several equal types: the address of a page then answers
 * like its `.json`.
 */
export function wantsJson(request: Request): boolean {
  const ranges = (request.headers.get("Accept") ?? "").split(",").map(mediaRange);
  const best = Math.max(...ranges.map((range) => range.quality));
  const first = ranges.find((range) => range.quality === best);
  return first?.type === "application/json" && best > 0;
}

interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

function mediaRange(text: string): MediaRange {
  const [type = "", ...parameters] = text.toLowerCase().split(";");
  const stated = parameters.map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/.exec(parameter)?.[1]);
  const value = Number(stated.find((number) => number !== undefined) ?? 1);
  return { type: type.trim(), quality: Number.isNaN(value) ? 0 : value };
}

/** Returns the quality that the most specific range gives a type (RFC 9110, 12.5.1); 0 if none fits. */
function quality(ranges: readonly MediaRange[], type: string): number {
  const group = `${type.split("/")[0]}/*`;
  for (const name of [type, group, "*/*"]) {
    const range = ranges.find((one) => one.type === name);
    if (range !== undefined) return range.quality;
  }
  return 0;
}

/** Returns the language in which the reader wants names. */
export function languageOf({ url, request }: RequestContext): string {
  const accepted = request.headers.get("Accept-Language");
  return readerLanguage([url.searchParams.get("lang"), chosenLanguage(request), accepted]);
}

/** `Vary` header of answers in the reader's language. */
export const VARY_LANGUAGE = "Accept-Language, Cookie";

/** True if the response goes to a person: `.json` paths are for programs, other paths go by the `Accept` header. */
export function isForPeople({ url, request }: RequestContext): boolean {
  return !url.pathname.endsWith(".json") && wantsHtml(request);
}

/** Returns a value as a page for people or as JSON for programs. */
export function pageOrJson<Value>(
  context: RequestContext,
  value: Value,
  pageOf: (value: Value) => Reply,
): Reply {
  if (isForPeople(context)) return pageOf(value);
  return { ...privateJson(value), headers: { Vary: "Accept" } };
}
