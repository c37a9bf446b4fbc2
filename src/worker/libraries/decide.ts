import { isLibraryKey, isSameLibrary, libraryRecord } from "../../catalog/libraries/record.ts";
import { type CatalogRecord, textOf, typeKey } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/read-record.ts";
import { problemsFound } from "../accounts/problems.ts";
import type { RequestContext } from "../context.ts";
import { CarrelError, notFound } from "../errors.ts";
import { editRecords } from "../writes/edit.ts";
import {
  type Registration,
  type StoredRegistration,
  alreadyDecided,
  readRegistration,
  write,
} from "./pending.ts";

/** Does away with a registration, and forgets whom to write to. Throws 404 and 409. */
export async function declineLibrary(context: RequestContext, key: string): Promise<void> {
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
export async function canDecline(
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
export async function approveLibrary(context: RequestContext, key: string, library: string): Promise<void> {
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
    // Somebody has taken the key meanwhile, so another one is to be chosen. After any other failure the same key is to be sent again.
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
  return alreadyDecided(`This library was let in as ${registration.library ?? ""}.`);
}
