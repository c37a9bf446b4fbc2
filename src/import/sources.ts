import { type Json, isObject, stringsOf } from "../catalog/record.ts";
import type { ImportRecord } from "./record.ts";

const ASIN_SOURCE = "amazon:B";
const ASIN_FROM = "amazon:".length;

/** What stands before the first colon of a source (import.md 9). */
function sourcePrefix(source: string): string {
  const colon = source.indexOf(":");
  return colon === -1 ? source : source.slice(0, colon);
}

/** Whether one of the sources has one of these prefixes. Records not yet validated may hold anything there. */
export function hasSourceFrom(record: ImportRecord, prefixes: ReadonlySet<string>): boolean {
  return stringsOf(record["source_records"]).some((source) => prefixes.has(sourcePrefix(source)));
}

/** Whether one of the sources starts with this text. */
export function hasSourceStarting(record: ImportRecord, start: string): boolean {
  return stringsOf(record["source_records"]).some((source) => source.startsWith(start));
}

/** A retailer's number that is no ISBN (import.md 19.4): from the identifiers, else from the sources. */
export function nonIsbnAsin(record: ImportRecord): string | undefined {
  const named = stringsOf(amazonOf(record["identifiers"])).find((value) => value.startsWith("B"));
  if (named !== undefined) return named;
  return stringsOf(record["source_records"])
    .find((source) => source.startsWith(ASIN_SOURCE))
    ?.slice(ASIN_FROM);
}

function amazonOf(identifiers: Json | undefined): Json | undefined {
  return isObject(identifiers) ? identifiers["amazon"] : undefined;
}
