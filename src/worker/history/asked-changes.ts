import * as z from "zod";
import type { ChangeFilter, Slice } from "../../db/changes/read-changes.ts";
import { type RequestContext } from "../context.ts";
import { queryJson } from "../records-query.ts";
import { callbackName } from "../validation/parameters.ts";
import {
  RECENT_LIMIT,
  RECENT_OFFSET_MAX,
  botFilter,
  botWanted,
  checkedQuery,
  filterOf,
  isAddress,
  sliceOf,
} from "./change-filter.ts";
import type { ChangePath } from "./change-path.ts";

/** Parameters of all lists of changes. */
export const listParameters = {
  bot: z.string().optional().describe("`true`: changes by bots only; `false`: by others only"),
  author: z.string().optional().describe("Key of a user: changes by that user only"),
  key: z.string().optional().describe("Key of a record: changes of that record only"),
  limit: z.string().optional().describe(`Changes, at most ${RECENT_LIMIT.max} (${RECENT_LIMIT.default})`),
  offset: z.string().optional().describe(`Changes to skip, at most ${RECENT_OFFSET_MAX}`),
  query: z
    .string()
    .optional()
    .describe("The same as a JSON object; with `kind`, `begin_date`, `end_date` and `data` too"),
  ip: z.string().optional().describe("Address of changes without an author"),
  page: z.string().optional().describe("Page of the list for people, from 1"),
  callback: callbackName(),
  text: z.string().optional().describe("`true`: as text/plain"),
};

/** Parameters of a list of changes. */
export type ListParameters = { [name in keyof typeof listParameters]?: string | undefined };

/** What path and parameters ask for together; no filter where nothing can meet it. */
export async function askedChanges(
  wanted: ChangePath & { kind: "list" },
  parameters: ListParameters,
  context: RequestContext,
): Promise<{ filter: ChangeFilter | undefined; slice: Slice }> {
  const object = parameters.query === undefined ? {} : checkedQuery(queryJson(parameters.query));
  // Q128: the object says more than the address it came with.
  const given = { ...parameters, ...object };
  const slice = sliceOf(given);
  // Q129: an address that is none has changed nothing.
  if (given.ip !== undefined && !isAddress(given.ip)) return { filter: undefined, slice };
  const { changeKind: kind } = wanted;
  const { key, author, ip } = given;
  const stated = filterOf({ ...object, key, author, kind: kind ?? object.kind });
  const { catalog, patrons } = context.stores;
  return {
    slice,
    filter: {
      ...stated,
      ip,
      begin: later(wanted.begin, stated.begin),
      end: earlier(wanted.end, stated.end),
      bots: await botFilter({ catalog, patrons }, botWanted(given.bot)),
    },
  };
}

function later(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}

function earlier(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}
