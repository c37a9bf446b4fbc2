import type { Access, AnyOperation, Route } from "./operation.ts";

/**
 * A path of the route table, or several, of which the interface description names the first only. `/lists[.json]` is
 * `/lists.json`, and `/lists` as well. `/books/XX{id}M[/{slug}]/edit` is two operations, which are both described: one
 * without the readable part of the address, and one with it, whose name ends in `AtPage`.
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

/** A line of the route table, with the other spellings of its path. */
export const get = lineOf("GET");
/** The same for what changes something. */
export const post = lineOf("POST");
/** The same for what is put in place. */
export const put = lineOf("PUT");
/** The same for what is deleted. */
export const remove = lineOf("DELETE");

/** A line that the interface description leaves out: what it does is described at another method or access. */
export function alias(routes: readonly Route[]): Route[] {
  return routes.map((route) => Object.assign({}, route, { alias: true }));
}
