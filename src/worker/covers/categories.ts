import type { CoverCategory } from "../../db/covers/read-covers.ts";
import type { AnyOperation, RequestContext } from "../http/operation.ts";
import { type Reply, NO_STORE, redirect } from "../http/reply.ts";

const NAMES: Readonly<Record<CoverCategory, readonly [noun: string, record: string]>> = {
  a: ["Author", "an author"],
  b: ["Book", "an edition"],
  w: ["Work", "a work"],
};

/** Defines one operation per category, such as for `/b/upload2`, `/a/upload2`, `/w/upload2`. */
export function forCategories(
  make: (category: CoverCategory, noun: string, record: string) => AnyOperation,
): Readonly<Record<CoverCategory, AnyOperation>> {
  return { a: make("a", ...NAMES.a), b: make("b", ...NAMES.b), w: make("w", ...NAMES.w) };
}

/** Returns an address to which a form may redirect, on the web or a path of this site; undefined for other text. */
export function backAddress(text: string | undefined | null): string | undefined {
  if (text === undefined || text === null || text.trim() === "") return undefined;
  const address = text.trim();
  // Browsers would read `//host` and `/\host` as other sites.
  if (/^\/(?![/\\])/.test(address)) return address;
  return /^https?:\/\//i.test(address) ? URL.parse(address)?.href : undefined;
}

export function refererOf({ request }: RequestContext): string | undefined {
  return backAddress(request.headers.get("Referer"));
}

/** Redirects to an address with 303, with the parameters merged into its query. */
export function redirectBack(address: string, parameters: Readonly<Record<string, string>> = {}): Reply {
  const [path = "", ...fragment] = address.split("#");
  const [base = "", ...query] = path.split("?");
  const merged = new URLSearchParams(query.join("?"));
  for (const [name, value] of Object.entries(parameters)) merged.set(name, value);
  const hasParameters = Object.keys(parameters).length > 0;
  const location = hasParameters ? [`${base}?${merged.toString()}`, ...fragment].join("#") : address;
  return redirect(303, location, { cacheControl: NO_STORE });
}

const NUMBER = /^\s*0*([1-9]\d{0,14})\s*$/;

export function coverNumber(text: string): number | undefined {
  const [, digits] = NUMBER.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
