import * as z from "zod";
import { PRIVATE, privateJson } from "../../accounts/private.ts";
import { isForPeople, problemPage } from "../../admin/done.ts";
import type { RequestContext } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { approveLibrary, canDecline, declineLibrary } from "../../libraries/decide.ts";
import { type StoredRegistration, pendingRegistrations, readRegistration } from "../../libraries/pending.ts";
import { operation } from "../../operation.ts";
import { dashboardPage } from "../../pages/libraries/dashboard-page.ts";
import { type ShownRegistration, pendingPage } from "../../pages/libraries/pending-page.ts";
import { redirect } from "../../reply.ts";
import { hasRole } from "../../sessions/access.ts";
import { integer } from "../../validation/parameters.ts";

/** Registrations in an answer. */
export const DASHBOARD_LIMIT = { default: 50, max: 100 };

const shape = z.object({
  key: z.string(),
  name: z.string(),
  addresses: z.string(),
  ip_ranges: z.string(),
  website: z.string(),
  lending_region: z.string(),
  contact_email: z.string(),
  registered_on: z.string(),
  current_status: z.string(),
  library: z.string().optional(),
});
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
    if (!isForPeople(context)) return { ...privateJson(answer), headers: { Vary: "Accept" } };
    return { ...dashboardPage(registrations, next), cacheControl: PRIVATE };
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
    const answer = shownRegistration(stored);
    if (!isForPeople(context)) return { ...privateJson(answer), headers: { Vary: "Accept" } };
    return { ...pendingPage(answer, await canDecline(context, stored.registration)), cacheControl: PRIVATE };
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

async function requireAdmin(context: RequestContext): Promise<void> {
  if (!hasRole(await context.actor(), "admin")) throw notFound();
}

function shownRegistration({
  key,
  registration,
}: Pick<StoredRegistration, "key" | "registration">): ShownRegistration {
  return { key, ...registration };
}

function keyOfNumber(text: string): string {
  if (!/^\d{1,12}$/.test(text)) throw notFound();
  return `/libraries/pending-${text}`;
}
