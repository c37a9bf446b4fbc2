import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import type { LibraryDetails } from "../../catalog/lending/library.ts";
import { reserveNumber } from "../../db/editing/numbers.ts";
import { queryDocuments, readStoreDocument, writeStoreDocument } from "../../db/service/store.ts";
import type { Database, Window } from "../../db/statement.ts";
import { byAddress, spend } from "../accounts/budgets.ts";
import { conflict, notFound, unavailable } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";

const LIBRARIES_PENDING_MAX = 1000;
const LIBRARY_REGISTRATIONS = { limit: 10, seconds: 3600 };

/** Type of registrations in the document store, and sequence of their numbers. */
const TYPE = "library-registration";
const SEQUENCE = "libraries";

export const registrationSchema = z.object({
  name: z.string(),
  addresses: z.string(),
  ip_ranges: z.string(),
  website: z.string(),
  lending_region: z.string(),
  contact_email: z.string(),
  /** UTC without a time zone. */
  registered_on: z.string(),
  current_status: z.enum(["pending", "approved", "deleted"]),
  library: z.string().optional(),
});
export type Registration = z.output<typeof registrationSchema>;

export interface StoredRegistration {
  readonly key: string;
  readonly rev: number;
  readonly registration: Registration;
}

/** Stores the registration of a library for administrators to decide on. Returns its key. Throws 429 and 503. */
export async function addRegistration(context: RequestContext, details: LibraryDetails): Promise<string> {
  await spend(context, byAddress(context, "library registration", LIBRARY_REGISTRATIONS));
  const { patrons, catalog } = context.stores;
  const [last] = await pendingRows(patrons, { limit: 1, offset: LIBRARIES_PENDING_MAX - 1 });
  if (last !== undefined) throw unavailable("Too many registrations are waiting. Try again later.");
  const number = await reserveNumber(catalog, SEQUENCE);
  const key = `/libraries/pending-${number}`;
  const registered = datetimeText(context.now);
  const registration = { ...details, registered_on: registered, current_status: "pending" } as const;
  await writeRegistration(context, { key, rev: 0, registration });
  return key;
}

export async function readRegistration(
  { stores }: Pick<RequestContext, "stores">,
  key: string,
): Promise<StoredRegistration> {
  const stored = await readStoreDocument(stores.patrons, nameOf(key));
  const registration = stored?.type === TYPE ? parseRegistration(stored.document) : undefined;
  if (stored === undefined || registration === undefined) throw notFound();
  return { key, rev: stored.rev, registration };
}

export async function pendingRegistrations(
  { stores }: Pick<RequestContext, "stores">,
  window: Window,
): Promise<Omit<StoredRegistration, "rev">[]> {
  const rows = await pendingRows(stores.patrons, window);
  return rows.flatMap(({ key, document }) => {
    const registration = document === null ? undefined : parseRegistration(document);
    return registration === undefined ? [] : [{ key: `/${key}`, registration }];
  });
}

/** Returns undefined for other documents, which clients may write to the store under the same type. */
function parseRegistration(document: string): Registration | undefined {
  return registrationSchema.safeParse(JSON.parse(document)).data;
}

function pendingRows(patrons: Database, window: Window) {
  return queryDocuments(patrons, { type: TYPE, name: "current_status", value: "pending", ...window });
}

/** Writes a registration. Returns its new `rev`. Throws 409 if it has changed since it was read. */
export async function writeRegistration(
  { stores, sources }: Pick<RequestContext, "stores" | "sources">,
  { key, rev, registration: document }: StoredRegistration,
): Promise<number> {
  const newRev = await writeStoreDocument(stores.patrons, {
    key: nameOf(key),
    type: TYPE,
    document: JSON.stringify({ ...document, type: TYPE }),
    updated: datetimeText(sources.now()),
    instead: rev,
  });
  if (newRev === "conflict")
    throw conflict("Someone else changed this first. Reload the page and try again.");
  return newRev;
}

function nameOf(key: string): string {
  return key.slice(1);
}
