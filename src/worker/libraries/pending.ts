import * as z from "zod";
import { isLibraryKey, isSameLibrary, libraryRecord } from "../../catalog/lending/library.ts";
import { type CatalogRecord, textOf, typeKey } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/records.ts";
import { isForPeople, pageOrJson, problemPage } from "../accounts/account-page.ts";
import { problemsFound } from "../accounts/account-form.ts";
import { editRecords } from "../history/edit.ts";
import { hasRole } from "../../catalog/roles.ts";
import { CarrelError, conflict, notFound } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { PRIVATE, redirect } from "../http/reply.ts";
import { type ShownRegistration, dashboardPage, pendingPage } from "./pending-page.ts";
import {
  type Registration,
  type StoredRegistration,
  pendingRegistrations,
  readRegistration,
  registrationSchema,
  write,
} from "./registrations.ts";

/** Registrations in an answer. */
const DASHBOARD_LIMIT = { default: 50, max: 100 };

const shape = z.object({ key: z.string(), ...registrationSchema.shape, current_status: z.string() });
const number = z.string().describe("Number of the registration");

/** `GET /libraries/dashboard[.json]`: registrations that wait. Q459: there is no such page for anybody else. */
export const libraryDashboard = operation({
  id: "libraryDashboard",
  summary: "Libraries that have registered and wait; administrators only",
  tag: "libraries",
  query: {
    limit: integer(z.int().gte(1).lte(DASHBOARD_LIMIT.max)).default(DASHBOARD_LIMIT.default),
    offset: integer(z.int().gte(0)).default(0),
  },
  responses: {
    200: {
      description: "The newest first",
      schema: z.object({ registrations: z.array(shape), next: z.string().optional() }),
      also: ["text/html"],
    },
    404: { description: "For everybody who is no administrator" },
  },
  async handle({ query: { limit, offset } }, context) {
    await requireAdmin(context);
    const found = await pendingRegistrations(context, { limit: limit + 1, offset });
    const registrations = found.slice(0, limit).map(shownRegistration);
    const next =
      found.length > limit ? `${context.url.pathname}?limit=${limit}&offset=${offset + limit}` : undefined;
    const answer = { registrations, ...(next === undefined ? {} : { next }) };
    return pageOrJson(context, answer, () => dashboardPage(registrations, next));
  },
});

/** `GET /libraries/pending-<n>[.json]`: one of them. */
export const pendingLibrary = operation({
  id: "pendingLibrary",
  summary: "The registration of a library; administrators only",
  tag: "libraries",
  path: { number },
  responses: {
    200: { description: "The registration", schema: shape, also: ["text/html"] },
    404: { description: "None; or for everybody who is no administrator" },
  },
  async handle({ path }, context) {
    await requireAdmin(context);
    const stored = await readRegistration(context, keyOfNumber(path.number));
    const canBeDeclined = isForPeople(context) && (await canDecline(context, stored.registration));
    return pageOrJson(context, shownRegistration(stored), (shown) => pendingPage(shown, canBeDeclined));
  },
});

/** `POST /libraries/pending-<n>`: lets a library in under a key, or does away with its registration. */
export const decideLibrary = operation({
  id: "decideLibrary",
  summary: "Let a library in, or not",
  tag: "libraries",
  path: { number },
  form: {
    key: z.string().max(200).default("").describe("Of the new record, `/libraries/<name>`"),
    _delete: z.string().optional().describe("With this the registration is declined"),
  },
  responses: {
    303: { description: "To the library, or back to the registrations" },
    404: { description: "No such registration" },
    409: { description: "It has been decided on" },
  },
  async handle({ path, form: { key, _delete } }, context) {
    const pending = keyOfNumber(path.number);
    try {
      if (_delete === undefined) await approveLibrary(context, pending, key.trim());
      else await declineLibrary(context, pending);
    } catch (error) {
      if (isForPeople(context)) return problemPage(error, pending);
      throw error;
    }
    return redirect(303, _delete === undefined ? key.trim() : "/libraries/dashboard", {
      cacheControl: PRIVATE,
    });
  },
});

/** Does away with a registration, and forgets whom to write to. Throws 404 and 409. */
async function declineLibrary(context: RequestContext, key: string): Promise<void> {
  const stored = await readRegistration(context, key);
  const { registration } = stored;
  if (registration.current_status === "deleted") return;
  if (!(await canDecline(context, registration))) throw approvedAs(stored);
  const declined = { ...registration, contact_email: "", current_status: "deleted" } as const;
  await write(context, { ...stored, registration: declined });
}

/**
 * May a registration be declined? One that waits may, and one that was approved when another record has taken the key before
 * its own was made: nothing can become of it.
 */
async function canDecline(
  { stores }: Pick<RequestContext, "stores">,
  { current_status: status, library, registered_on: registered }: Registration,
): Promise<boolean> {
  if (status !== "approved") return status === "pending";
  if (library === undefined) return false;
  const row = await readRecord(stores.catalog.withSession("first-primary"), library);
  // A library that was merged into another one has been let in.
  if (row === undefined || row.type === "/type/delete" || row.type === "/type/redirect") return false;
  // What is stored went through validation when it was written. Editors may change everything else.
  const record = JSON.parse(row.document) as CatalogRecord;
  return textOf(record["registered_on"]) !== registered;
}

/**
 * Lets a library in: its registration is marked, and then the record is made. When that was left half done, the same request
 * finishes it. Throws 404, 409, and 422 for a key that cannot be had.
 */
async function approveLibrary(context: RequestContext, key: string, library: string): Promise<void> {
  if (!isLibraryKey(library)) throw badKey("A key is like /libraries/some_name.");
  const stored = await readRegistration(context, key);
  const { current_status: status, ...details } = stored.registration;
  if (status === "deleted") throw notFound();
  if (status === "approved" && details.library !== library) throw approvedAs(stored);
  const record = libraryRecord(library, details, details.registered_on);
  // A key that is taken is told before anything is written.
  await editRecords(context, [library], (records) => checkFree(records.get(library), record));
  const approved = { ...stored.registration, current_status: "approved", library } as const;
  const rev =
    status === "approved" ? stored.rev : await write(context, { ...stored, registration: approved });
  try {
    await makeRecord(context, library, record);
  } catch (error) {
    // Somebody has taken the key meanwhile, so another one is to be chosen. After any other failure the same key is
    // to be sent again.
    if (error instanceof CarrelError && error.status === 422) await write(context, { ...stored, rev });
    throw error;
  }
}

async function makeRecord(context: RequestContext, library: string, record: CatalogRecord): Promise<void> {
  await editRecords(context, [library], (records) => {
    const there = records.get(library);
    checkFree(there, record);
    if (there !== undefined && !isDeleted(there)) return undefined;
    return { documents: [record], kind: "update", comment: "Registered library" };
  });
}

/** Throws when the key is another record's. */
function checkFree(there: CatalogRecord | undefined, record: CatalogRecord): undefined {
  const isFree = there === undefined || isDeleted(there) || isSameLibrary(there, record);
  if (!isFree) throw badKey("There is a record with this key.");
}

function isDeleted(record: CatalogRecord): boolean {
  return typeKey(record) === "/type/delete";
}

function badKey(message: string): CarrelError {
  return problemsFound([{ field: "key", code: "bad_value", message }]);
}

function approvedAs({ registration }: StoredRegistration): CarrelError {
  return conflict(`This library was let in as ${registration.library ?? ""}.`);
}

async function requireAdmin(context: RequestContext): Promise<void> {
  if (!hasRole(await context.actor(), "admin")) throw notFound();
}

function shownRegistration({ key, registration }: Omit<StoredRegistration, "rev">): ShownRegistration {
  return { key, ...registration };
}

function keyOfNumber(text: string): string {
  if (!/^\d{1,12}$/.test(text)) throw notFound();
  return `/libraries/pending-${text}`;
}
