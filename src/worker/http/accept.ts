import { pickReaderLanguage } from "../../catalog/language.ts";
import { cookieLanguage } from "./pages/reader.ts";
import type { RequestContext } from "./operation.ts";

/** Returns true if `Accept` ranks HTML above JSON. Without the header, and for `*` + `/*`, the answer is JSON. */
export function wantsHtml(request: Request): boolean {
  const accept = request.headers.get("Accept");
  if (accept === null || !/html|text\//i.test(accept)) return false;
  const ranges = accept.split(",").map(parseMediaRange);
  const html = Math.max(qualityOf(ranges, "text/html"), qualityOf(ranges, "application/xhtml+xml"));
  return html > qualityOf(ranges, "application/json");
}

/** Returns true if `Accept` ranks JSON highest: the address of a page then answers like its `.json`. */
export function wantsJson(request: Request): boolean {
  const ranges = (request.headers.get("Accept") ?? "").split(",").map(parseMediaRange);
  const best = Math.max(...ranges.map((range) => range.quality));
  const first = ranges.find((range) => range.quality === best);
  return first?.type === "application/json" && best > 0;
}

function parseMediaRange(text: string) {
  const [type = "", ...parameters] = text.toLowerCase().split(";");
  const qualities = parameters.map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/.exec(parameter)?.[1]);
  const value = Number(qualities.find((number) => number !== undefined) ?? 1);
  return { type: type.trim(), quality: Number.isNaN(value) ? 0 : value };
}

/** Returns the quality that the most specific range gives a type (RFC 9110, 12.5.1); 0 if none fits. */
function qualityOf(ranges: readonly ReturnType<typeof parseMediaRange>[], type: string): number {
  const group = `${type.split("/")[0]}/*`;
  for (const name of [type, group, "*/*"]) {
    const range = ranges.find(({ type: rangeType }) => rangeType === name);
    if (range !== undefined) return range.quality;
  }
  return 0;
}

export function languageOf({ url, request }: RequestContext): string {
  const accepted = request.headers.get("Accept-Language");
  return pickReaderLanguage([url.searchParams.get("lang"), cookieLanguage(request), accepted]);
}

export const VARY_LANGUAGE = "Accept-Language, Cookie";

/** Returns true if a person reads the response: `.json` and `.yml` are for programs (Q134), `Accept` decides at all others. */
export function isForPeople({ url, request }: RequestContext): boolean {
  return !/\.(?:json|yml)$/.test(url.pathname) && wantsHtml(request);
}
