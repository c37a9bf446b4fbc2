import { keyFromOlid, rewriteLegacyKey } from "../../catalog/keys.ts";
import { findUserKey } from "../../db/records/users.ts";
import { readRecord } from "../../db/records/records.ts";
import { type FormatName, FORMATS, FORMAT_NAMES } from "../../export/formats.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { decoded } from "../http/paths.ts";

/** Forms of a record; undefined is the page for people. */
type Encoding = "json" | "yml" | "rdf" | "opds" | FormatName | undefined;

export interface RecordPath {
  /** The path without its encoding, percent-decoded: `/books/OL1M` or `/books/OL1M/Some_Title`. */
  readonly key: string;
  readonly encoding: Encoding;
  /** Suffix in the path, such as `.json`; empty without one. */
  readonly suffix: string;
}

const ACCEPTED: ReadonlyMap<string, Encoding> = new Map([
  ["application/json", "json"],
  ["application/rdf+xml", "rdf"],
  ["text/x-yaml", "yml"],
  ["application/marcxml+xml", "marcxml"],
]);
const SUFFIX = /^(.+)\.(json|yml|rdf|opds|marcxml)$/;

/** Q566: export formats are suffixes of bare keys only; `Accept` selects them there and at readable addresses. */
const EXPORT_SUFFIX = new RegExp(`^(/\\w+/[A-Z]{2}\\d+[MWA])\\.(${FORMAT_NAMES.join("|")})$`);
const EXPORTABLE = /^\/\w+\/[A-Z]{2}\d+[MWA](?:\/[^/]*)?$/;
const ACCEPTED_EXPORTS: ReadonlyMap<string | undefined, Encoding> = new Map(
  FORMAT_NAMES.map((name) => [FORMATS[name].accept, name]),
);

/** Reads the record path: `Accept` decides before the suffix (Q1). */
export function recordPath(pathname: string, accept: string | null): RecordPath {
  const path = decoded(pathname);
  const [, key = path, suffix] = EXPORT_SUFFIX.exec(path) ?? SUFFIX.exec(path) ?? [];
  const preferred = accept === null ? "" : preferredType(accept);
  const accepted =
    ACCEPTED.get(preferred) ?? (EXPORTABLE.test(key) ? ACCEPTED_EXPORTS.get(preferred) : undefined);
  // The pattern lets no other suffix through.
  return {
    key,
    encoding: accepted ?? (suffix as Encoding),
    suffix: suffix === undefined ? "" : `.${suffix}`,
  };
}

/** Returns the media range with the highest `q`, the first of several. */
function preferredType(accept: string): string {
  if (!accept.includes(",") && !accept.includes(";")) return accept.trim().toLowerCase();
  let best = { type: "", quality: 0 };
  for (const range of accept.split(",")) {
    const [type = "", ...parameters] = range.split(";");
    const stated = parameters.find((text) => /^\s*q\s*=/i.test(text));
    const quality = stated === undefined ? 1 : Number(stated.split("=")[1]);
    if (quality > best.quality) best = { type: type.trim().toLowerCase(), quality };
  }
  return best.type;
}

const SLUGGED = /^((?:\/people\/[^/]+)?\/\w+\/(?:[A-Z]{2}\d+[MWALT]|ia:[\w.-]+))(?:\/[^/]*)?(\/.*)?$/;

/** Path of a record that has a readable address: key, and the rest after one more segment. */
export interface SluggedPath {
  readonly key: string;
  readonly rest: string;
}

/** Splits `/books/OL1M/Some_Title/edit`; undefined for records without readable addresses. */
export function sluggedPath(path: string, prefix: string): SluggedPath | undefined {
  const [, key, rest = ""] = SLUGGED.exec(path) ?? [];
  if (key === undefined) return undefined;
  const id = key.slice(key.lastIndexOf("/") + 1);
  return id.startsWith(prefix) || id.startsWith("ia:") ? { key, rest } : undefined;
}

/** Returns path and query of an address without some of its parameters. */
export function addressWithout(url: URL, ...names: readonly string[]): string {
  const target = new URL(url);
  for (const name of names) target.searchParams.delete(name);
  return target.pathname + target.search;
}

/** Removes the readable segment from a path. */
export function withoutSlug(path: string, prefix: string): string {
  const slugged = sluggedPath(path, prefix);
  return slugged === undefined || slugged.rest !== "" ? path : slugged.key;
}

/**
 * Returns the key of an existing record that a path names by an old prefix (`/a/OL1A`), under the wrong word
 * (`/works/OL1M`), or with another spelling of a username (Q144); undefined if there is no such record either.
 */
export async function elsewhere(key: string, context: RequestContext): Promise<string | undefined> {
  const prefix = context.settings.RECORD_PREFIX;
  const [, username, below = ""] = /^\/people\/([^/]+)(\/.*)?$/.exec(key) ?? [];
  if (username !== undefined) {
    const user = await findUserKey(catalogReader(context), username);
    if (user !== undefined && user + below !== key) return user + below;
    if (below === "") return undefined;
  }
  // Q12: the number decides, not the folder.
  const other = keyFromOlid(key.slice(key.lastIndexOf("/") + 1), prefix) ?? rewriteLegacyKey(key);
  if (other === key) return undefined;
  const row = await readRecord(catalogReader(context), other);
  return row?.key;
}
