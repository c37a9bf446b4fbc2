import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import type { LibraryDetails } from "../../catalog/lending/library.ts";
import { reserveNumber } from "../../db/editing/numbers.ts";
import { queryDocuments, readStoreDocument, writeStoreDocument } from "../../db/service/store.ts";
import type { Database, Window } from "../../db/statement.ts";
import { byAddress, spend } from "../accounts/budgets.ts";
import { conflict, notFound, unavailable } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";

/** Registrations that wait at a time; there is room again when an administrator has decided on some. */
const LIBRARIES_PENDING_MAX = 1000;
/** Registrations from one address in an hour. */
const LIBRARY_REGISTRATIONS = { limit: 10, seconds: 3600 };

/** What registrations are called in the store of documents, and where their numbers come from. */
const TYPE = "library-registration";
const SEQUENCE = "libraries";

export const registrationSchema = z.object({
  name: z.string(),
  addresses: z.string(),
  ip_ranges: z.string(),
  website: z.string(),
  lending_region: z.string(),
  contact_email: z.string(),
  /** Naive UTC. */
  registered_on: z.string(),
  current_status: z.enum(["pending", "approved", "deleted"]),
  /** Of the record that was made of it. */
  library: z.string().optional(),
});
export type Registration = z.output<typeof registrationSchema>;

/** A registration as it is stored. */
export interface StoredRegistration {
  readonly key: string;
  /** Changes with each write. */
  readonly rev: number;
  readonly registration: Registration;
}

/** Keeps the registration of a library until an administrator has decided on it; its key. Throws 429 and 503. */
export async function addRegistration(context: RequestContext, details: LibraryDetails): Promise<string> {
  await spend(context, byAddress(context, "library registration", LIBRARY_REGISTRATIONS));
  const { patrons, catalog } = context.stores;
  const [last] = await pendingRows(patrons, { limit: 1, offset: LIBRARIES_PENDING_MAX - 1 });
  if (last !== undefined) throw unavailable("Too many registrations are waiting. Please try again later.");
  const number = await reserveNumber(catalog, SEQUENCE);
  const key = `/libraries/pending-${number}`;
  const registered = datetimeText(context.now);
  await write(context, {
    key,
    rev: 0,
    registration: { ...details, registered_on: registered, current_status: "pending" },
  });
  return key;
}

/** A registration, whatever has become of it. Throws a 404. */
export async function readRegistration(
  { stores }: Pick<RequestContext, "stores">,
  key: string,
): Promise<StoredRegistration> {
  const stored = await readStoreDocument(stores.patrons, nameOf(key));
  const found = stored?.type === TYPE ? registrationOf(stored.document) : undefined;
  if (stored === undefined || found === undefined) throw notFound();
  return { key, rev: stored.rev, registration: found };
}

/** Registrations that wait, the newest first. */
export async function pendingRegistrations(
  { stores }: Pick<RequestContext, "stores">,
  window: Window,
): Promise<Omit<StoredRegistration, "rev">[]> {
  const found = await pendingRows(stores.patrons, window);
  return found.flatMap(({ key, document }) => {
    const read = document === null ? undefined : registrationOf(document);
    return read === undefined ? [] : [{ key: `/${key}`, registration: read }];
  });
}

/** Programs may keep any documents in the store; what is no registration is none. */
function registrationOf(document: string): Registration | undefined {
  return registrationSchema.safeParse(JSON.parse(document)).data;
}

function pendingRows(patrons: Database, window: Window) {
  return queryDocuments(patrons, { type: TYPE, name: "current_status", value: "pending", ...window });
}

/** Writes what has become of a registration; its new `rev`. Throws a 409 when somebody else has decided meanwhile. */
export async function write(
  { stores, sources }: Pick<RequestContext, "stores" | "sources">,
  { key, rev, registration: document }: StoredRegistration,
): Promise<number> {
  const written = await writeStoreDocument(stores.patrons, {
    key: nameOf(key),
    type: TYPE,
    document: JSON.stringify({ ...document, type: TYPE }),
    updated: datetimeText(sources.now()),
    instead: rev,
  });
  if (written === "conflict") throw conflict("Somebody else has just decided on this registration.");
  return written;
}

function nameOf(key: string): string {
  return key.slice(1);
}
