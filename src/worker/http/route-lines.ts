import type { Access, AnyOperation, Route } from "./operation.ts";

/**
 * Path of the route table, or several, of which the interface description names only the first. `/lists[.json]` is
 * `/lists.json` and `/lists`. `/books/XX{id}M[/{slug}]/edit` is two operations, both described: one without the
 * readable part of the address, and one with it, whose name ends in `AtPage`.
 */
type Paths = string | readonly string[];

const OPTIONAL_SUFFIX = "[.json]";
const OPTIONAL_SLUG = "[/{slug}]";

function lineOf(method: Route["method"]) {
  return function lines(paths: Paths, access: Access, operation: AnyOperation): Route[] {
    if (typeof paths === "string" && paths.includes(OPTIONAL_SLUG)) {
      const { slug: _slug, ...path } = operation.path;
      const atPage = { ...operation, id: `${operation.id}AtPage` };
      return [
        ...lines(paths.replace(OPTIONAL_SLUG, ""), access, { ...operation, path }),
        ...lines(paths.replace(OPTIONAL_SLUG, "/{slug}"), access, atPage),
      ];
    }
    const spellings = [paths].flat().flatMap((path) => {
      const bare = path.replace(OPTIONAL_SUFFIX, "");
      return bare === path ? [path] : [`${bare}.json`, bare];
    });
    return spellings.map((path, index) => ({ method, path, access, operation, alias: index > 0 }));
  };
}

export const get = lineOf("GET");
export const post = lineOf("POST");
export const put = lineOf("PUT");
export const remove = lineOf("DELETE");

/** Hides lines from the interface description, which describes their operation at another method or access. */
export function alias(routes: readonly Route[]): Route[] {
  return routes.map((route) => Object.assign({}, route, { alias: true }));
}
