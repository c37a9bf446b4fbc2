import { MIB } from "../../../catalog/units.ts";
import * as z from "zod";
import type { Database } from "../../../db/statement.ts";
import { bodyText } from "../../http/bytes.ts";
import { type RequestContext, type Route, operation } from "../../http/operation.ts";
import { placeholdersOf } from "../../http/paths.ts";
import { JSON_TYPE, json } from "../../http/reply.ts";
import type { Settings } from "../../http/settings.ts";
import { failure } from "../../http/failure.ts";

const FORM_BYTES = 16 * MIB;

export interface StoreCall {
  /** Context as on the main site: the session is that of the caller's token. */
  readonly context: RequestContext;
  /** The primary: services read their own writes. */
  readonly database: Database;
  readonly patrons: D1Database;
  readonly settings: Settings;
  readonly path: Readonly<Record<string, string>>;
  /** Returns an argument of the query or the form. Throws 400 if it is missing. */
  argument(name: string): string;
  optional(name: string): string | undefined;
  /** Returns all arguments, by name; the last of each counts. */
  arguments(): Record<string, string>;
}

export type StoreLine = readonly [
  method: Route["method"],
  path: string,
  answer: (call: StoreCall) => unknown,
  options?: {
    readonly form?: boolean;
    /** True if it may be called in read-only mode although the method is not GET. */
    readonly inReadOnly?: boolean;
    readonly needsActor?: true;
  },
];

export function storeRoute([method, path, answer, options = {}]: StoreLine): Route {
  const { form = false, inReadOnly, needsActor } = options;
  const storeOperation = operation({
    id: `${method} ${path}`,
    summary: path,
    tag: "record store",
    path: Object.fromEntries(placeholdersOf(path).map((name) => [name, z.string()])),
    inReadOnly: inReadOnly ?? method === "GET",
    responses: {},
    ...(needsActor && { needsActor }),
    async handle(input, context) {
      const call = await storeCall(context, input.path, form);
      const content = await answer(call);
      if (content instanceof ReadableStream) return { status: 200, contentType: JSON_TYPE, body: content };
      return json(content ?? null);
    },
  });
  return { method, path, access: "public", load: async () => storeOperation, alias: true };
}

async function storeCall(
  context: RequestContext,
  path: StoreCall["path"],
  takesForm: boolean,
): Promise<StoreCall> {
  const { stores, settings, request } = context;
  const form = new URLSearchParams(takesForm ? await bodyText(request, FORM_BYTES) : "");
  const values = new Map([...new URL(request.url).searchParams, ...form]);
  return {
    context,
    path,
    settings,
    database: stores.catalog,
    patrons: stores.patrons,
    optional: (name) => values.get(name),
    argument(name) {
      const value = values.get(name);
      if (value === undefined) throw failure("bad_data.argument", { name });
      return value;
    },
    arguments: () => Object.fromEntries(values),
  };
}

/** Percent-decodes a key in the path. Throws 400 if it is malformed. */
export function decodeKey(text = ""): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) throw failure("bad_data.key", { key: text });
    throw error;
  }
}
