import { DAY_MS } from "../../catalog/units.ts";
import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { type AuditRow, listAudit } from "../../db/service/audit-log.ts";
import { pageOrJson } from "../http/accept.ts";
import { operation } from "../http/operation.ts";
import { lenientInteger } from "../http/parameters.ts";
import type { Reply } from "../http/reply.ts";
import { type AuditEvent, AUDIT_DAYS, AUDIT_EVENTS } from "../platform/audit.ts";
import { form } from "../ui/form.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { commas, link } from "../ui/parts.ts";
import { adminPage } from "./admin-page.ts";
import { table } from "../ui/table.ts";
import { moment, t } from "../ui/words.ts";

const AUDIT_PAGE = 100;

// The table has no other keys.
const EVENTS = Object.keys(AUDIT_EVENTS) as AuditEvent[];
const NAME_LENGTH = 1000;
const name = z.string().trim().max(NAME_LENGTH).default("");
const day = z.union([z.iso.date(), z.literal("")]).default("");

const eventSchema = z.object({
  id: z.int(),
  time: z.string(),
  event: z.enum(EVENTS),
  actor: z
    .string()
    .nullable()
    .describe("`/people/<username>` or `operator`; null if the request had no session"),
  subject: z.string().nullable().describe("Key of an account or record, or name of a setting"),
  network: z.string().describe("Network of the client: /24 or /48"),
  request: z.string().describe("`X-Request-Id` of the request"),
  details: z.record(z.string(), z.unknown()),
});
type EventView = z.infer<typeof eventSchema>;

/** `GET /admin/audit[.json]`: audit events, the newest first (Q169). */
export const adminAudit = operation({
  id: "adminAudit",
  summary: "List the events of the audit log",
  tag: "administration",
  query: {
    event: z.enum([...EVENTS, ""]).default(""),
    actor: name.describe("Username or key of the actor, or `operator`"),
    subject: name.describe("Key of the account or record, or name of the setting"),
    from: day.describe("First day (UTC)"),
    to: day.describe("Last day"),
    before: z
      .string()
      .regex(/^\d{1,15}-\d{1,15}$/)
      .optional()
      .describe("`next` of the previous page"),
    limit: lenientInteger(AUDIT_PAGE, { min: 1, max: AUDIT_PAGE }),
  },
  responses: {
    200: {
      description: `Events of the last ${AUDIT_DAYS} days, as JSON or HTML`,
      schema: z.object({ events: z.array(eventSchema), next: z.string().nullable() }),
    },
  },
  async handle({ query: { limit, before, ...filter } }, context) {
    const { event, actor, subject, from, to } = filter;
    const [time, id] = (before ?? "").split("-").map(Number);
    const rows = await listAudit(
      context.stores.patrons,
      {
        event: event || undefined,
        actor: /^(?:|operator|\/.*)$/.test(actor) ? actor || undefined : `/people/${actor}`,
        subject: subject || undefined,
        from: from === "" ? undefined : Date.parse(from),
        until: to === "" ? undefined : Date.parse(to) + DAY_MS,
        before: time === undefined || id === undefined ? undefined : { time, id },
      },
      limit + 1,
    );
    const events = rows.slice(0, limit);
    const last = rows.length > limit ? events.at(-1) : undefined;
    const next = last === undefined ? null : `${last.time}-${last.id}`;
    return pageOrJson(context, { events: events.map(toEventView), next }, (list) => auditPage(filter, list));
  },
});

function toEventView({ id, time, event, details, ...row }: AuditRow): EventView {
  // Only these events are stored.
  return { id, time: formatDatetime(time), event: event as AuditEvent, ...row, details: JSON.parse(details) };
}

type Filter = Readonly<Record<"event" | "actor" | "subject" | "from" | "to", string>>;

function auditPage(filter: Filter, { events, next }: { events: EventView[]; next: string | null }): Reply {
  const { event, actor, subject, from, to } = filter;
  const options = EVENTS.map(
    (option) =>
      markup`<option value="${option}"${option === event && markup` selected`} lang="en">${AUDIT_EVENTS[option]}</option>`,
  );
  const body = markup`${form({
    action: "/admin/audit",
    method: "get",
    fields: [
      {
        name: "actor",
        label: t("admin.audit_who"),
        value: actor,
        hint: t("admin.audit_who_hint", { operator: OPERATOR }),
      },
      {
        name: "subject",
        label: t("admin.audit_about"),
        value: subject,
        hint: t("admin.audit_about_hint", { examples: EXAMPLES }),
      },
      { name: "from", label: t("admin.audit_from"), type: "date", value: from },
      { name: "to", label: t("admin.audit_to"), type: "date", value: to },
    ],
    more: markup`<div><label for="event">${t("admin.audit_what")}</label>
<select id="event" name="event"><option value="">${t("admin.audit_everything")}</option>${options}</select></div>`,
    submit: t("admin.show"),
  })}
${events.length === 0 ? markup`<p>${t("desk.nothing")}</p>` : eventTable(events)}
${pageLinks(undefined, next === null ? undefined : `/admin/audit?${new URLSearchParams({ ...filter, before: next })}`)}`;
  return adminPage({ title: t("admin.audit"), body });
}

const OPERATOR = markup`<code>operator</code>`;
const EXAMPLES = markup`<code>/people/ann</code>, <code>/works/OL1W</code>, <code>read-only</code>`;
const COLUMNS = [
  "imports.when",
  "admin.audit_what",
  "admin.audit_who",
  "admin.audit_about",
  "admin.audit_network",
  "admin.audit_details",
  "admin.audit_request",
] as const;

function eventTable(events: readonly EventView[]): Markup {
  return table({
    caption: t("admin.audit_events"),
    columns: COLUMNS.map((words) => t(words)),
    rows: events.map(({ time, event, actor, subject, network, details, request }) => [
      moment(time),
      markup`<span lang="en">${AUDIT_EVENTS[event]}</span>`,
      recordLink(actor),
      recordLink(subject),
      network,
      commas(Object.entries(details).map(([member, value]) => `${member}: ${String(value)}`)),
      request,
    ]),
  });
}

/** Renders a link to the page of a record; for a patron, to the page for administrators. */
function recordLink(key: string | null): Markup | string {
  if (key?.startsWith("/") !== true) return key ?? "";
  return link(/^\/people\/[^/]+$/.test(key) ? `/admin${addressOf(key)}` : addressOf(key), key);
}
