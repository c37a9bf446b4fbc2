import * as z from "zod";
import { CarrelError, validationFailed } from "../http/errors.ts";
import {
  type AnyOperation,
  type Keep,
  type Parameters,
  type RequestContext,
  type ResponseSpec,
  operation,
} from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";

/** Seconds that public answers about lists may be kept by clients. */
const LISTS_SECONDS = 60;
export const LISTS_CACHE_CONTROL = `public, max-age=${LISTS_SECONDS}`;

/** The folders that lists and series live in. */
export type ListFolder = "people" | "lists" | "series" | "people-series";

/** The parameters in a list's path. What a number looks like depends on the record prefix: see `listKey`. */
function listPath(folder: ListFolder, name: "list_id" | "olid"): Record<string, z.ZodString> {
  const id = { [name]: z.string().describe("Such as OL1L") };
  return folder.startsWith("people") ? { username: z.string(), ...id } : id;
}

/** Key of the list that a path names; 422 for what is no number of a list (Q245). */
export function listKey(
  folder: ListFolder,
  path: Readonly<Record<string, string>>,
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
  const owner = `/people/${path["username"] ?? ""}`;
  switch (folder) {
    case "people":
      return `${owner}/lists/${id}`;
    case "people-series":
      return `${owner}/series/${id}`;
    default:
      return `/${folder}/${id}`;
  }
}

/** 404 of a list or series. */
export function listNotFound(): CarrelError {
  return new CarrelError(404, "not_found", { message: "List or Series not found" });
}

/** An operation that reads one list or series of a folder. */
interface ListReading<Q extends Parameters> {
  readonly id: string;
  readonly summary: string;
  readonly folder: ListFolder;
  /** What the path calls the list's number. */
  readonly number: "list_id" | "olid";
  readonly query?: Q;
  readonly keep?: Keep;
  /** Besides a 404 for lists that are not there. */
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  handle(
    key: string,
    query: { [name in keyof Q]: z.output<Q[name]> },
    context: RequestContext,
  ): Promise<Reply> | Reply;
}

const MISSING: ResponseSpec = { description: "No such list or series, or it was deleted" };

/** Defines it: what is done gets the key of the list that the path names. */
export function listOperation<Q extends Parameters = {}>({
  folder,
  number,
  responses,
  handle,
  ...what
}: ListReading<Q>): AnyOperation {
  return operation<Record<string, z.ZodString>, Q>({
    ...what,
    tag: "lists",
    path: listPath(folder, number),
    responses: { 404: MISSING, ...responses },
    handle: ({ path, query }, context) => handle(listKey(folder, path, context), query, context),
  });
}
