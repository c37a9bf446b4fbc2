import { invalid } from "../http/input-failures.ts";
import { type Failure, failure } from "../http/failure.ts";
import * as z from "zod";
import { validationFailed } from "../http/errors.ts";
import {
  type AnyOperation,
  type CachePolicy,
  type Parameters,
  type RequestContext,
  type ResponseSpec,
  operation,
} from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { type ListFolder, FOLDERS } from "./folders.ts";

/** `max-age` of public responses about lists, in seconds. */
const LISTS_SECONDS = 60;
export const LISTS_CACHE_CONTROL = `public, max-age=${LISTS_SECONDS}`;

type InFolders<Folder extends ListFolder> = Readonly<Record<Folder, AnyOperation>>;

/** Creates an operation per folder. `ids` are their operation ids. */
export function inFolders<Folder extends ListFolder>(
  ids: Readonly<Record<Folder, string>>,
  make: (folder: ListFolder, id: string) => AnyOperation,
): InFolders<Folder> {
  // `ids` has no other members.
  const folders = Object.keys(ids) as Folder[];
  // Every folder of `ids` has an entry.
  return Object.fromEntries(
    folders.map((folder) => [folder, make(folder, ids[folder])]),
  ) as InFolders<Folder>;
}

/** Path parameters: `username`, and the id of the list as `list_id` or `olid`, whose pattern depends on the record prefix. */
type ListPath = Readonly<Record<string, z.ZodType<string | undefined>>>;

/** Returns the path parameters in a folder: only folders of people have a username. */
export function pathParametersIn(folder: ListFolder, { username, ...more }: ListPath): ListPath {
  return username !== undefined && folder.startsWith("people") ? { username, ...more } : more;
}

/** Returns the key of the list that a path names. Throws 422 for an invalid id (Q245). */
export function listKeyOf(
  folder: ListFolder,
  path: Readonly<Record<string, string | undefined>>,
  { settings }: RequestContext,
): string {
  const name = path["list_id"] === undefined ? "olid" : "list_id";
  const id = path[name] ?? "";
  const pattern = `${settings.RECORD_PREFIX}\\d+L`;
  if (!new RegExp(`^${pattern}$`).test(id)) {
    const more = { type: "string_pattern_mismatch", input: id, ctx: { pattern } };
    const text = { key: "validation.pattern", values: { pattern } } as const;
    throw validationFailed([invalid(["path", name], text, more)]);
  }
  return `${FOLDERS[folder].replace("{username}", () => path["username"] ?? "")}/${id}`;
}

export function isListType(type: string): boolean {
  return type === "/type/list" || type === "/type/series";
}

export function listNotFound(): Failure {
  return failure("not_found.list");
}

interface ListOperations<Folder extends ListFolder, Q extends Parameters, J extends z.ZodType> {
  ids: Readonly<Record<Folder, string>>;
  summary: string | ((folder: ListFolder) => string);
  tag?: "lists" | "forms";
  path: ListPath;
  query?: Q;
  json?: J;
  body?: AnyOperation["body"];
  bodyBytes?: number;
  cache?: CachePolicy;
  needsActor?: true;
  responses: Readonly<Record<number, ResponseSpec>>;
  handle(
    /** `slug` is the readable part of the address, undefined if it has none. */
    list: { key: string; folder: ListFolder; slug: string | undefined },
    input: { query: { [name in keyof Q]: z.output<Q[name]> }; json: z.output<J> },
    context: RequestContext,
  ): Promise<Reply> | Reply;
}

/** Creates an operation per folder, whose handler gets the key of the list. */
export function listOperations<
  Folder extends ListFolder,
  Q extends Parameters = {},
  J extends z.ZodType = z.ZodUndefined,
>({ ids, summary, path, handle, ...rest }: ListOperations<Folder, Q, J>): InFolders<Folder> {
  return inFolders(ids, (folder, id) =>
    operation<ListPath, Q, {}, J>({
      tag: "lists",
      ...rest,
      id,
      summary: typeof summary === "string" ? summary : summary(folder),
      path: pathParametersIn(folder, path),
      handle: ({ path: names, ...input }, context) =>
        handle({ key: listKeyOf(folder, names, context), folder, slug: names["slug"] }, input, context),
    }),
  );
}

const username = z.string();
const number = z
  .string()
  .meta({ description: "ID of the list or series, for example OL1L", pattern: "^XX\\d+L$" });
/** Path parameters of reads: the interface has two names for the id of a list. */
export const LIST_PATH = { username, list_id: number };
export const OLID_PATH = { username, olid: number };

export const NO_LIST = { 404: { description: "No such list or series, or deleted" } };
