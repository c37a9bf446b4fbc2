import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import {
  LIBRARY_NAME_LENGTH_MAX,
  LIBRARY_TEXT_LENGTH_MAX,
  LIBRARY_WORD_LENGTH_MAX,
  findDetailProblems,
} from "../../catalog/lending/library.ts";
import { reserveNumber } from "../../db/editing/numbers.ts";
import { queryDocuments, readStoreDocument, writeStoreDocument } from "../../db/service/store.ts";
import type { Database, Window } from "../../db/statement.ts";
import { byAddress, spend } from "../accounts/budgets.ts";
import { notFound } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { toValidationError } from "../accounts/account-form.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { command } from "../ui/command.ts";
import { registerPage, registeredPage } from "./register-page.ts";

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

export async function readRegistration({ stores }: Pick<RequestContext, "stores">, key: string) {
  const stored = await readStoreDocument(stores.patrons, nameOf(key));
  const registration = stored?.type === TYPE ? parseRegistration(stored.document) : undefined;
  if (stored === undefined || registration === undefined) throw notFound();
  return { key, rev: stored.rev, registration };
}

export async function readPendingRegistrations({ stores }: Pick<RequestContext, "stores">, window: Window) {
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
    updated: formatDatetime(sources.now()),
    instead: rev,
  });
  if (newRev === "conflict") throw failure("conflict.changed");
  return newRev;
}

function nameOf(key: string): string {
  return key.slice(1);
}

const text = (length: number) =>
  z
    .string()
    .max(length)
    .default("")
    .transform((value) => value.trim());

export const registerLibraryForm = operation({
  id: "registerLibraryPage",
  summary: "Show the registration form for libraries",
  tag: "libraries",
  responses: { 200: { description: "Page", contentType: "text/html" } },
  handle: () => registerPage(),
});

export const registerLibrary = command({
  id: "registerLibrary",
  summary: "Register a library",
  tag: "libraries",
  form: {
    name: text(LIBRARY_NAME_LENGTH_MAX),
    addresses: text(LIBRARY_TEXT_LENGTH_MAX).describe(
      "Lines of name|street|city|state|zip|country|telephone|website|latitude,longitude",
    ),
    ip_ranges: text(LIBRARY_TEXT_LENGTH_MAX).describe("IP addresses and ranges, one per line"),
    website: text(LIBRARY_WORD_LENGTH_MAX),
    lending_region: text(LIBRARY_WORD_LENGTH_MAX),
    contact_email: text(LIBRARY_WORD_LENGTH_MAX).describe("Visible to administrators only"),
  },
  responses: {
    201: {
      description: "Registration sent to the administrators",
      schema: z.object({ key: z.string() }),
      also: ["text/html"],
    },
    429: { description: "Too many registrations from this address" },
    503: { description: "Too many pending registrations" },
  },
  /** Stores the registration for administrators to decide on. */
  async submit({ form: details }, context) {
    const problems = findDetailProblems(details);
    if (problems.length > 0) throw toValidationError(problems);
    await spend(context, byAddress(context, "library registration", LIBRARY_REGISTRATIONS));
    const { patrons, catalog } = context.stores;
    const [last] = await pendingRows(patrons, { limit: 1, offset: LIBRARIES_PENDING_MAX - 1 });
    if (last !== undefined) throw failure("unavailable.registrations");
    const number = await reserveNumber(catalog, SEQUENCE);
    const key = `/libraries/pending-${number}`;
    const registered_on = formatDatetime(context.now);
    const registration = { ...details, registered_on, current_status: "pending" } as const;
    await writeRegistration(context, { key, rev: 0, registration });
    return { key };
  },
  asJson: (registration) => json(registration, { status: 201, cacheControl: NO_STORE }),
  page: (_registration, { form: { name } }) => registeredPage(name),
  again: (refusal, { form: details }) => registerPage(details, refusal),
});
