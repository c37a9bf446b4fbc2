import type { Route } from "./operation.ts";

/** A route's path in the two forms that are needed: Hono's, and one that yields the parameters. */
export interface PathPattern {
  readonly hono: string;
  readonly expression: RegExp;
}

const PLACEHOLDER = /\{(\w+)(:path)?\}/g;

/** The route's path with the record prefix in place of `XX`. */
export function concretePath(path: string, prefix: string): string {
  return path.replace(/\bXX(?=\{)/g, prefix);
}

/** Compiles `/works/XX{work_id}W/editions.json`; `{name:path}` takes slashes too. */
export function pathPattern({ path }: Pick<Route, "path">, prefix: string): PathPattern {
  const concrete = concretePath(path, prefix);
  return { hono: honoPath(concrete), expression: new RegExp(`^${pathExpression(concrete, true)}$`) };
}

function pathExpression(path: string, named: boolean): string {
  let expression = "";
  let end = 0;
  for (const match of path.matchAll(PLACEHOLDER)) {
    expression += RegExp.escape(path.slice(end, match.index));
    const characters = match[2] === undefined ? "[^/]+" : ".*";
    expression += named ? `(?<${match[1]}>${characters})` : characters;
    end = match.index + match[0].length;
  }
  return expression + RegExp.escape(path.slice(end));
}

function honoPath(path: string): string {
  if (path.includes(":path}")) return path.replace(/\{\w+:path\}.*$/, "*");
  return path
    .split("/")
    .map((segment, index) => (segment.includes("{") ? honoSegment(segment, index) : segment))
    .join("/");
}

function honoSegment(segment: string, index: number): string {
  if (/^\{\w+\}$/.test(segment)) return `:s${index}`;
  return `:s${index}{${segment.replace(PLACEHOLDER, "[^/]+").replace(/\.(?!\+)/g, "\\.")}}`;
}

/** The raw parameters of a path, percent-decoded where that is possible; undefined when it does not fit. */
export function pathParameters(
  { expression }: PathPattern,
  pathname: string,
): Record<string, string> | undefined {
  const match = expression.exec(plainPath(pathname));
  if (match === null) return undefined;
  return Object.fromEntries(
    Object.entries(match.groups ?? {}).map(([name, value]) => [name, decoded(value)]),
  );
}

/** `/query%2Ejson` is `/query.json` (RFC 3986, 6.2.2.2), and Hono routes it so. */
export function plainPath(pathname: string): string {
  if (!pathname.includes("%")) return pathname;
  return pathname.replace(/%[2-7][0-9a-f]/gi, (code) => {
    const character = decodeURIComponent(code);
    return /[\w.~-]/.test(character) ? character : code;
  });
}

/** Percent-decodes; text that is no valid encoding stays as it is. */
export function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
