import type * as z from "zod";
import type { RequestContext } from "../context.ts";
import { type AnyOperation, type Keep, type Parameters, type ResponseSpec, operation } from "../operation.ts";
import type { Reply } from "../reply.ts";
import { type ListFolder, listKey, listPath } from "./list-path.ts";

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
