import * as z from "zod";
import { CarrelError, validationFailed } from "../http/errors.ts";
import {
  type Access,
  type AnyOperation,
  type Keep,
  type Parameters,
  type RequestContext,
  type ResponseSpec,
  type Route,
  operation,
} from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import type { get } from "../http/route-lines.ts";

/** Seconds that public answers about lists may be kept by clients. */
const LISTS_SECONDS = 60;
export const LISTS_CACHE_CONTROL = `public, max-age=${LISTS_SECONDS}`;

/** The folders that lists and series live in, as the interface writes them. */
const FOLDERS = {
  people: "/people/{username}/lists",
  "people-series": "/people/{username}/series",
  lists: "/lists",
  series: "/series",
} as const;
export type ListFolder = keyof typeof FOLDERS;

/** Operations that do the same in several folders. */
type InFolders<Folder extends ListFolder> = Readonly<Record<Folder, AnyOperation>>;

/** Makes the operations of some folders, by what they are called there. */
export function inFolders<Folder extends ListFolder>(
  ids: Readonly<Record<Folder, string>>,
  make: (folder: ListFolder, id: string) => AnyOperation,
): InFolders<Folder> {
  const made = foldersOf(ids).map((folder) => [folder, make(folder, ids[folder])] as const);
  // Each of the folders has one.
  return Object.fromEntries(made) as InFolders<Folder>;
}

/** Their lines of the route table; `path` is what follows the folder. */
export function routesBelow<Folder extends ListFolder>(
  line: typeof get,
  [path, access]: readonly [path: string, access: Access],
  operations: InFolders<Folder>,
): Route[] {
  const lines = foldersOf(operations).map((folder) =>
    line(FOLDERS[folder] + path, access, operations[folder]),
  );
  // Spelling by spelling, each in all folders.
  return (lines[0] ?? []).flatMap((_, at) => lines.flatMap((routes) => routes[at] ?? []));
}

function foldersOf<Folder extends ListFolder>(values: Readonly<Record<Folder, unknown>>): Folder[] {
  // The names of its members, and none besides.
  return Object.keys(values) as Folder[];
}

/** `username`, and the number of the list as `list_id` or `olid`: what it looks like depends on the record prefix. */
type ListPath = Readonly<Record<string, z.ZodType<string | undefined>>>;

/** The parameters of a path in a folder: only people's folders have a username. */
export function pathIn(folder: ListFolder, { username, ...more }: ListPath): ListPath {
  return username !== undefined && folder.startsWith("people") ? { username, ...more } : more;
}

/** Key of the list that a path names; 422 for what is no number of a list (Q245). */
export function listKey(
  folder: ListFolder,
  path: Readonly<Record<string, string | undefined>>,
  { settings }: RequestContext,
): string {
  const name = path["list_id"] === undefined ? "olid" : "list_id";
  const id = path[name] ?? "";
  const pattern = `${settings.RECORD_PREFIX}\\d+L`;
  if (!new RegExp(`^${pattern}$`).test(id)) {
    const msg = `String should match pattern '${pattern}'`;
    throw validationFailed([
      { type: "string_pattern_mismatch", loc: ["path", name], msg, input: id, ctx: { pattern } },
    ]);
  }
  return `${FOLDERS[folder].replace("{username}", () => path["username"] ?? "")}/${id}`;
}

/** True for the types of records that are read and changed as lists. */
export function isListType(type: string): boolean {
  return type === "/type/list" || type === "/type/series";
}

/** 404 of a list or series. */
export function listNotFound(): CarrelError {
  return new CarrelError(404, "not_found", { message: "List or Series not found" });
}

/** Operations with a list or series, which do the same in several folders. */
interface ListOperations<Folder extends ListFolder, Q extends Parameters, J extends z.ZodType> {
  readonly ids: Readonly<Record<Folder, string>>;
  readonly summary: string | ((folder: ListFolder) => string);
  readonly tag?: "lists" | "forms";
  readonly path: ListPath;
  readonly query?: Q;
  readonly json?: J;
  readonly body?: AnyOperation["body"];
  readonly bodyBytes?: number;
  readonly keep?: Keep;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  handle(
    /** `slug`: the readable part of the address; undefined when it has none. */
    list: { readonly key: string; readonly folder: ListFolder; readonly slug: string | undefined },
    input: { readonly query: { [name in keyof Q]: z.output<Q[name]> }; readonly json: z.output<J> },
    context: RequestContext,
  ): Promise<Reply> | Reply;
}

/** Defines them: what is done gets the key of the list that the path names. */
export function listOperations<
  Folder extends ListFolder,
  Q extends Parameters = {},
  J extends z.ZodType = z.ZodUndefined,
>({ ids, summary, path, handle, ...what }: ListOperations<Folder, Q, J>): InFolders<Folder> {
  return inFolders(ids, (folder, id) =>
    operation<ListPath, Q, {}, J>({
      tag: "lists",
      ...what,
      id,
      summary: typeof summary === "string" ? summary : summary(folder),
      path: pathIn(folder, path),
      handle: ({ path: names, ...input }, context) =>
        handle({ key: listKey(folder, names, context), folder, slug: names["slug"] }, input, context),
    }),
  );
}

const username = z.string();
const number = z.string().meta({ description: "Such as OL1L", pattern: "^XX\\d+L$" });
/** The paths of what reads a list: the interface has two names for its number. */
export const LIST_PATH = { username, list_id: number };
export const OLID_PATH = { username, olid: number };

/** The answer of those that have nothing else to say of it. */
export const NO_LIST = { 404: { description: "No such list or series, or it was deleted" } };
