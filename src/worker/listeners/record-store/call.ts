import { bodyText } from "../../body.ts";
import type { RequestContext, Settings } from "../../context.ts";
import { badData } from "../../errors.ts";
import type { Database } from "../../../db/statement.ts";

/** Largest form, in bytes: JSON is nearly doubled by what a form makes of it. */
export const FORM_BYTES = 16 * 1024 * 1024;

/** What a call of the record store works with. */
export interface StoreCall {
  /** As on the main site: the session is that of the caller's token. */
  readonly context: RequestContext;
  /** The primary: services read what they have just written. */
  readonly database: Database;
  readonly patrons: D1Database;
  readonly settings: Settings;
  /** Parts of the path that the route names. */
  readonly parts: readonly string[];
  /** An argument of the query or the form; a missing one is a 400. */
  argument(name: string): string;
  optional(name: string): string | undefined;
  /** All arguments, by name; the last of each counts. */
  arguments(): Record<string, string>;
}

/** Makes a call out of a request; the body is read when it is a form. */
export async function storeCall(
  context: RequestContext,
  { path, takesForm }: { readonly path: RegExp; readonly takesForm: boolean },
): Promise<StoreCall> {
  const { stores, settings, url } = context;
  const form = new URLSearchParams(takesForm ? await bodyText(context.request, FORM_BYTES) : "");
  const given = new Map([...url.searchParams, ...form]);
  return {
    context,
    settings,
    database: stores.catalog,
    patrons: stores.patrons,
    parts: (path.exec(url.pathname) ?? []).slice(1),
    optional: (name) => given.get(name),
    argument(name) {
      const value = given.get(name);
      if (value === undefined) throw badData(`Missing argument: '${name}'`);
      return value;
    },
    arguments: () => Object.fromEntries(given),
  };
}

/** A key out of the path, which may be percent-encoded; 400 when that is broken. */
export function decodedKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) throw badData(`Bad key: '${text}'`);
    throw error;
  }
}
