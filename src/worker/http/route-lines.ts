import type { Access, AnyOperation, Route } from "./operation.ts";

/**
 * Path of the route table, or several, of which the interface description names only the first. `/lists[.json]` is
 * `/lists.json` and `/lists`. `/books/XX{id}M[/{slug}]/edit` is two operations, both described: one without the
 * readable part of the address, and one with it, whose name ends in `AtPage`.
 */
type Paths = string | readonly string[];

type Line = Pick<Route, "access" | "operation">;

const OPTIONAL_SUFFIX = "[.json]";
const OPTIONAL_SLUG = "[/{slug}]";

function lines(method: Route["method"], paths: Paths, { access, operation }: Line): Route[] {
  if (typeof paths === "string" && paths.includes(OPTIONAL_SLUG)) {
    const { slug: _slug, ...path } = operation.path;
    const bare = { access, operation: { ...operation, path } };
    const atPage = { access, operation: { ...operation, id: `${operation.id}AtPage` } };
    return [
      ...lines(method, paths.replace(OPTIONAL_SLUG, ""), bare),
      ...lines(method, paths.replace(OPTIONAL_SLUG, "/{slug}"), atPage),
    ];
  }
  const all = [paths].flat().flatMap(spellings);
  return all.map((path, index) => ({ method, path, access, operation, alias: index > 0 }));
}

function spellings(path: string): string[] {
  if (!path.endsWith(OPTIONAL_SUFFIX)) return [path];
  const bare = path.slice(0, -OPTIONAL_SUFFIX.length);
  return [`${bare}.json`, bare];
}

type MakeLine = (paths: Paths, access: Access, operation: AnyOperation) => Route[];

function lineOf(method: Route["method"]): MakeLine {
  return (paths, access, operation) => lines(method, paths, { access, operation });
}

/** Creates GET lines of the route table, with the other spellings of the path. */
export const get = lineOf("GET");
export const post = lineOf("POST");
export const put = lineOf("PUT");
export const remove = lineOf("DELETE");

/** Hides lines from the interface description, which describes their operation at another method or access. */
export function alias(routes: readonly Route[]): Route[] {
  return routes.map((route) => Object.assign({}, route, { alias: true }));
}
