import * as z from "zod";
import { isLibraryKey, isSameLibrary, buildLibraryRecord } from "../../catalog/lending/library.ts";
import { type CatalogRecord, textOf, typeKeyOf } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/records.ts";
import { toValidationError } from "../accounts/account-form.ts";
import { editRecords } from "../editing/edit-records.ts";
import type { TextKey } from "../../catalog/texts.ts";
import { hasRole } from "../../catalog/roles.ts";
import { notFound } from "../http/errors.ts";
import { Failure, failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { privateJson, seeOther } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { accountPage } from "../ui/action-answer.ts";
import { dataFacts, dataTable } from "../ui/data-page.ts";
import { form } from "../ui/form.ts";
import { pageLinks } from "../ui/pager.ts";
import { link, paragraph } from "../ui/parts.ts";
import { prose, section } from "../ui/values.ts";
import { command } from "../ui/command.ts";
import { t } from "../ui/words.ts";
import {
  type Registration,
  type StoredRegistration,
  readPendingRegistrations,
  readRegistration,
  registrationSchema,
  writeRegistration,
} from "./registrations.ts";

const DASHBOARD_LIMIT = { default: 50, max: 100 };

const registrationAnswer = z.object({
  key: z.string(),
  ...registrationSchema.shape,
  current_status: z.string(),
});
const number = z.string().describe("Number of the registration");

/** Lists pending registrations for administrators; 404 for all others (Q459). */
export const libraryDashboard = resource({
  id: "libraryDashboard",
  summary: "List pending library registrations; administrators only",
  tag: "libraries",
  query: {
    limit: integer(z.int().gte(1).lte(DASHBOARD_LIMIT.max)).default(DASHBOARD_LIMIT.default),
    offset: integer(z.int().gte(0)).default(0),
  },
  responses: {
    200: {
      description: "Registrations, newest first",
      schema: z.object({ registrations: z.array(registrationAnswer), next: z.string().optional() }),
      also: ["text/html"],
    },
    404: { description: "Not an administrator" },
  },
  async read({ query: { limit, offset } }, context) {
    await requireAdmin(context);
    const stored = await readPendingRegistrations(context, { limit: limit + 1, offset });
    const registrations = stored.slice(0, limit).map(toAnswer);
    const hasMore = stored.length > limit;
    const next = hasMore ? `${context.url.pathname}?limit=${limit}&offset=${offset + limit}` : undefined;
    return { registrations, ...(next !== undefined && { next }) };
  },
  page({ registrations, next }) {
    const table = dataTable({
      caption: t("library.waiting"),
      members: {
        key: ["library.library", (key, { name }) => link(key, name)],
        registered_on: "library.registered",
      },
      rows: registrations,
      none: "library.waiting_none",
    });
    return accountPage({ title: t("library.decide"), body: [table, pageLinks(undefined, next)] });
  },
});

export const pendingLibrary = resource({
  id: "pendingLibrary",
  summary: "Get a library registration; administrators only",
  tag: "libraries",
  path: { number },
  responses: {
    200: { description: "Registration", schema: registrationAnswer, also: ["text/html"] },
    404: { description: "No such registration, or not an administrator" },
  },
  async read({ path }, context) {
    await requireAdmin(context);
    return readRegistration(context, keyOfNumber(path.number));
  },
  asJson: (stored) => privateJson(toAnswer(stored)),
  async page({ key: action, registration }, _input, context) {
    const { name, current_status: status } = registration;
    const slug = name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "_")
      .replace(/^_|_$/g, "");
    const key = {
      name: "key",
      label: t("library.key"),
      value: `/libraries/${slug.slice(0, 100)}`,
      required: true,
      hint: t("library.key_hint"),
    };
    const decline = { name: "_delete", label: "", type: "hidden", value: "true" } as const;
    const canBeDeclined = await canDecline(context, registration);
    return accountPage({
      title: name,
      body: [
        dataFacts(registration, {
          current_status: "library.status",
          registered_on: "library.registered",
          addresses: ["library.addresses", prose],
          ip_ranges: ["library.ip", prose],
          website: "library.website",
          lending_region: "library.region",
          contact_email: "library.email",
          library: "library.library",
        }),
        status === "pending" &&
          section(t("library.let_in_heading"), form({ action, fields: [key], submit: t("library.let_in") })),
        canBeDeclined &&
          section(t("library.decline"), form({ action, fields: [decline], submit: t("library.delete") })),
        paragraph(link("/libraries/dashboard", t("library.registrations"))),
      ],
    });
  },
});

export const decideLibrary = command({
  id: "decideLibrary",
  summary: "Approve or decline a library registration",
  tag: "libraries",
  path: { number },
  form: {
    key: z.string().max(200).default("").describe("Key of the new record, `/libraries/<name>`"),
    _delete: z.string().optional().describe("Present: decline the registration"),
  },
  responses: {
    303: { description: "Redirect to the library, or to the registrations" },
    409: { description: "Registration already decided" },
  },
  async submit({ path, form: { key, _delete } }, context) {
    const pending = keyOfNumber(path.number);
    const library = key.trim();
    if (_delete === undefined && !isLibraryKey(library)) throw badKey("validation.library_key");
    const stored = await readRegistration(context, pending);
    const { registration } = stored;
    const { current_status: status, ...details } = registration;
    if (_delete !== undefined) {
      if (status !== "deleted") {
        if (!(await canDecline(context, registration))) throw alreadyApproved(stored);
        // Erases the email address.
        const declined = { ...registration, contact_email: "", current_status: "deleted" } as const;
        await writeRegistration(context, { ...stored, registration: declined });
      }
      return seeOther("/libraries/dashboard");
    }
    if (status === "deleted") throw notFound();
    if (status === "approved" && details.library !== library) throw alreadyApproved(stored);
    const record = buildLibraryRecord(library, details, details.registered_on);
    // Refuses a key of another record before anything is written.
    await editRecords(context, [library], (records) => checkFree(records.get(library), record));
    // Marks the registration, then creates the record. Repeating the request finishes an interrupted one.
    const approved = { ...registration, current_status: "approved", library } as const;
    let { rev } = stored;
    if (status !== "approved") rev = await writeRegistration(context, { ...stored, registration: approved });
    try {
      await editRecords(context, [library], (records) => {
        const existing = records.get(library);
        checkFree(existing, record);
        if (existing !== undefined && !isDeleted(existing)) return undefined;
        return { documents: [record], kind: "update", comment: "Registered library" };
      });
    } catch (error) {
      // If another record has taken the key meanwhile, the registration is pending again. After any other failure, the
      // administrator repeats the request.
      if (error instanceof Failure && error.status === 422)
        await writeRegistration(context, { ...stored, rev });
      throw error;
    }
    return seeOther(library);
  },
  done: { to: ({ path }) => `/libraries/pending-${path.number}`, notice: "desk.done" },
});

/**
 * True for a pending registration, and for an approved one if another record has taken its key before its own was
 * created, so that it can never be finished.
 */
async function canDecline(
  { stores }: Pick<RequestContext, "stores">,
  { current_status: status, library, registered_on: registered }: Registration,
): Promise<boolean> {
  if (status !== "approved") return status === "pending";
  if (library === undefined) return false;
  const row = await readRecord(stores.catalog.withSession("first-primary"), library);
  // A library that was merged into another one has been created.
  if (row === undefined || row.type === "/type/delete" || row.type === "/type/redirect") return false;
  // Stored documents are valid JSON objects. Editors may change everything but the time of registration.
  const record = JSON.parse(row.document) as CatalogRecord;
  return textOf(record["registered_on"]) !== registered;
}

/** Throws 422 if the key belongs to another record. */
function checkFree(existing: CatalogRecord | undefined, record: CatalogRecord): undefined {
  const isFree = existing === undefined || isDeleted(existing) || isSameLibrary(existing, record);
  if (!isFree) throw badKey("validation.key_taken");
}

function isDeleted(record: CatalogRecord): boolean {
  return typeKeyOf(record) === "/type/delete";
}

function badKey(key: TextKey): Failure {
  return toValidationError([{ field: "key", code: "bad_value", text: { key } }]);
}

function alreadyApproved({ registration }: StoredRegistration): Failure {
  return failure("conflict.library_approved", { key: registration.library ?? "" });
}

async function requireAdmin(context: RequestContext): Promise<void> {
  if (!hasRole(await context.actor(), "admin")) throw notFound();
}

function toAnswer({ key, registration }: Omit<StoredRegistration, "rev">) {
  return { key, ...registration };
}

function keyOfNumber(text: string): string {
  if (!/^\d{1,12}$/.test(text)) throw notFound();
  return `/libraries/pending-${text}`;
}
