import { hasTypedKey } from "../../catalog/keys.ts";
import type { Route } from "./operation.ts";

/** Placeholder `{name}`, or `{name:…}` with a pattern for its text. */
const PLACEHOLDER = /\{(\w+)(?::((?:[^{}]|\{[^{}]*\})+))?\}/g;

/** Returns the route's path with the record prefix in place of `XX`. */
export function concretePath(path: string, prefix: string): string {
  return path.replace(/\bXX(?=\{)/g, prefix);
}

interface PathPattern {
  hono: string;
  expression: RegExp;
}

const compiledPatterns = new Map<string, PathPattern>();

/**
 * Compiles `/works/XX{work_id}W/editions.json`. `{name:path}` matches slashes too, `{day:\d+}` only its pattern. Hono
 * matches such a route for any text, and the expression decides.
 */
export function pathPattern({ path }: Pick<Route, "path">, prefix: string): PathPattern {
  const concrete = concretePath(path, prefix);
  const known = compiledPatterns.get(concrete);
  if (known !== undefined) return known;
  const pattern = { hono: honoPath(concrete), expression: new RegExp(`^${pathExpression(concrete)}$`) };
  compiledPatterns.set(concrete, pattern);
  return pattern;
}

/** Path pattern that matches every path, as the key of a possible record. */
export const ANY_RECORD = "/{key:path}";

/**
 * Finds the methods of a path. If other routes match it, it is not a record's unless it is the key of a typed one
 * (Q516).
 */
export function pathMethods(routes: readonly Route[], prefix: string): (pathname: string) => string[] {
  const patterns = routes.map((route) => ({ ...route, expression: pathPattern(route, prefix).expression }));
  return (pathname) => {
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
export function rawParameters(
  { expression }: PathPattern,
  pathname: string,
): Record<string, string> | undefined {
  const match = expression.exec(pathname);
  return match === null ? undefined : { ...match.groups };
}

/** Returns the parameters of a path, percent-decoded where that is possible; undefined if it does not match. */
export function pathParameters(pattern: PathPattern, pathname: string): Record<string, string> | undefined {
  const raw = rawParameters(pattern, plainPath(pathname));
  for (const name in raw) raw[name] = decoded(raw[name] ?? "");
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
export function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
