import { readerLanguage } from "../../catalog/language.ts";
import { chosenLanguage } from "./pages/language.ts";
import type { RequestContext } from "./operation.ts";

/** True when `Accept` says that HTML is liked better than JSON. Without it, and for `*` + `/*`, JSON is the answer. */
export function wantsHtml(request: Request): boolean {
  const accept = request.headers.get("Accept");
  if (accept === null || !/html|text\//i.test(accept)) return false;
  const ranges = accept.split(",").map(mediaRange);
  const html = Math.max(quality(ranges, "text/html"), quality(ranges, "application/xhtml+xml"));
  return html > quality(ranges, "application/json");
}

/**
 * True when JSON is the type that `Accept` likes best, the first of several alike: a page's address then answers as its
 * `.json`.
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

/** What the most specific range says of a type (RFC 9110, 12.5.1); 0 when none fits. */
function quality(ranges: readonly MediaRange[], type: string): number {
  const group = `${type.split("/")[0]}/*`;
  for (const name of [type, group, "*/*"]) {
    const range = ranges.find((one) => one.type === name);
    if (range !== undefined) return range.quality;
  }
  return 0;
}

/** The language in which the reader wants names. */
export function languageOf({ url, request }: RequestContext): string {
  const accepted = request.headers.get("Accept-Language");
  return readerLanguage([url.searchParams.get("lang"), chosenLanguage(request), accepted]);
}

/** What answers in the reader's language vary by. */
export const VARY_LANGUAGE = "Accept-Language, Cookie";
