import { hasTypedKey } from "../../catalog/keys.ts";
import { type FormatName, FORMATS, FORMAT_NAMES } from "../../export/formats.ts";
import type { Route } from "./operation.ts";

const PLACEHOLDER = /\{(\w+)(?::((?:[^{}]|\{[^{}]*\})+))?\}/g;

export function concretePath(path: string, prefix: string): string {
  return path.replace(/\bXX(?=\{)/g, prefix);
}

type PathPattern = { readonly hono: string; readonly expression: RegExp };

const compiledPatterns = new Map<string, PathPattern>();

/**
 * Compiles `/works/XX{work_id}W/editions.json`. `{name:path}` matches slashes too, `{day:\d+}` only its pattern. Hono
 * matches such a route for any text, and the expression decides.
 */
export function pathPattern({ path }: Pick<Route, "path">, prefix: string): PathPattern {
  const concrete = concretePath(path, prefix);
  const known = compiledPatterns.get(concrete);
  if (known !== undefined) return known;
  let expression: RegExp | undefined;
  const pattern = {
    hono: honoPath(concrete),
    /** Compiled on first use: a new isolate has hundreds of routes and few requests. */
    get expression() {
      return (expression ??= new RegExp(`^${pathExpression(concrete)}$`));
    },
  };
  compiledPatterns.set(concrete, pattern);
  return pattern;
}

export const ANY_RECORD = "/{key:path}";

/** Finds the methods of a path. A path of other routes is a record's only if its key is typed (Q516). */
export function pathMethods(routes: readonly Route[], prefix: string): (pathname: string) => string[] {
  let patterns: { method: string; path: string; expression: RegExp }[] | undefined;
  return (pathname) => {
    patterns ??= routes.map((route) => {
      const { expression } = pathPattern(route, prefix);
      return { method: route.method, path: route.path, expression };
    });
    const matching = patterns.filter(({ expression }) => expression.test(pathname));
    // An address with a readable part belongs to the record.
    const others = matching.filter(({ path }) => path !== ANY_RECORD && !path.endsWith("/{slug}"));
    const isRecord = others.length === 0 || hasTypedKey(pathname.replace(/\.(?:json|yml|rdf)$/, ""), prefix);
    return (isRecord ? matching : others).map(({ method }) => method);
  };
}

/** Removes the constraints from the placeholders of a path: `{day:\d+}` becomes `{day}`. */
export function pathTemplate(path: string): string {
  return path.replace(PLACEHOLDER, "{$1}");
}

export function placeholdersOf(path: string): string[] {
  return [...path.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
}

function pathExpression(path: string): string {
  let expression = "";
  let end = 0;
  for (const match of path.matchAll(PLACEHOLDER)) {
    const [placeholder, name, constraint = "[^/]+"] = match;
    const characters = constraint === "path" ? ".*" : constraint;
    expression += `${RegExp.escape(path.slice(end, match.index))}(?<${name}>${characters})`;
    end = match.index + placeholder.length;
  }
  return expression + RegExp.escape(path.slice(end));
}

function honoPath(path: string): string {
  const plain = path.replace(PLACEHOLDER, (_all, _name, constraint = "") =>
    /^path$|\.\*$/.test(constraint) ? "{*}" : "{}",
  );
  return plain
    .replace(/\{\*\}.*/s, "*")
    .split("/")
    .map((segment, index) => (segment.includes("{}") ? honoSegment(segment, index) : segment))
    .join("/");
}

function honoSegment(segment: string, index: number): string {
  if (segment === "{}") return `:s${index}`;
  return `:s${index}{${segment.replaceAll("{}", "[^/]+").replace(/\.(?!\+)/g, "\\.")}}`;
}

/** Returns the parameters of a path as they were sent; undefined if it does not match. */
export function rawParameters({ expression }: PathPattern, pathname: string) {
  const match = expression.exec(pathname);
  return match === null ? undefined : { ...match.groups };
}

export function pathParameters(pattern: PathPattern, pathname: string): Record<string, string> | undefined {
  const raw = rawParameters(pattern, plainPath(pathname));
  for (const name in raw) raw[name] = percentDecode(raw[name] ?? "");
  return raw;
}

/** Decodes unreserved characters: `/query%2Ejson` is `/query.json` (RFC 3986, 6.2.2.2), and Hono routes it so. */
export function plainPath(pathname: string): string {
  if (!pathname.includes("%")) return pathname;
  return pathname.replace(/%[2-7][0-9a-f]/gi, (code) => {
    const character = decodeURIComponent(code);
    return /[\w.~-]/.test(character) ? character : code;
  });
}

/** Percent-decodes; text that is not a valid encoding stays as it is. */
export function percentDecode(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

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
  const path = percentDecode(pathname);
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
export type SluggedPath = { key: string; rest: string };

/** Splits `/books/OL1M/Some_Title/edit`; undefined for records without readable addresses. */
export function sluggedPath(path: string, prefix: string): SluggedPath | undefined {
  const [, key, rest = ""] = SLUGGED.exec(path) ?? [];
  if (key === undefined) return undefined;
  const id = key.slice(key.lastIndexOf("/") + 1);
  return id.startsWith(prefix) || id.startsWith("ia:") ? { key, rest } : undefined;
}

/** Removes the readable segment from a path. */
export function withoutSlug(path: string, prefix: string): string {
  const slugged = sluggedPath(path, prefix);
  return slugged === undefined || slugged.rest !== "" ? path : slugged.key;
}
