import type { Access, OperationLoader, Route } from "../http/operation.ts";
import type { get } from "../http/route-lines.ts";

/** Paths of the folders that hold lists and series. */
export const FOLDERS = {
  people: "/people/{username}/lists",
  "people-series": "/people/{username}/series",
  lists: "/lists",
  series: "/series",
} as const;
export type ListFolder = keyof typeof FOLDERS;

/** All folders except `people-series`: patrons own no series. */
export const FOLDERS_IN_USE = ["people", "lists", "series"] as const;

/** Returns the routes of an operation that some folders have. `path` is relative to the folder. */
export function routesBelow<Folder extends ListFolder>(
  line: typeof get,
  [folders, path, access]: readonly [folders: readonly Folder[], path: string, access: Access],
  operationIn: (folder: Folder) => OperationLoader,
): Route[] {
  const lines = folders.map((folder) => line(FOLDERS[folder] + path, access, operationIn(folder)));
  // Ordered by spelling of the path, then by folder.
  return (lines[0] ?? []).flatMap((_, at) => lines.flatMap((routes) => routes[at] ?? []));
}
