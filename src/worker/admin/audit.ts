import { DAY_MS } from "../../catalog/units.ts";
import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { type AuditRow, listAudit } from "../../db/service/audit-log.ts";
import { lenientInteger } from "../http/parameters.ts";
import { resource } from "../http/views.ts";
import { type AuditEvent, AUDIT_DAYS, AUDIT_EVENTS } from "../platform/audit.ts";
import { adminPage, dataTable } from "../ui/data-page.ts";
import { form } from "../ui/form.ts";
import { pageLinks } from "../ui/pager.ts";
import { code, commas, inEnglish } from "../ui/parts.ts";
import { t } from "../ui/words.ts";

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

const ACTOR_HINT = t("admin.audit_who_hint", { operator: code("operator") });
const EXAMPLES = ["/people/ann", "/works/OL1W", "read-only"].map(code);
const SUBJECT_HINT = t("admin.audit_about_hint", { examples: commas(EXAMPLES) });
const EVENT_OPTIONS = [
  ["", t("admin.audit_everything")] as const,
  ...EVENTS.map((event) => [event, AUDIT_EVENTS[event], "en"] as const),
];

/** `GET /admin/audit[.json]`: audit events, the newest first (Q169). */
export const adminAudit = resource({
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
  async read({ query: { limit, before, event, actor, subject, from, to } }, context) {
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
    return { events: events.map(toEventView), next };
  },
  page({ events, next }, { query: { event, actor, subject, from, to } }) {
    const older = new URLSearchParams({ event, actor, subject, from, to, before: next ?? "" });
    return adminPage({
      title: t("admin.audit"),
      parts: [
        form({
          action: "/admin/audit",
          method: "get",
          fields: [
            { name: "actor", label: t("admin.audit_who"), value: actor, hint: ACTOR_HINT },
            { name: "subject", label: t("admin.audit_about"), value: subject, hint: SUBJECT_HINT },
            { name: "from", label: t("admin.audit_from"), type: "date", value: from },
            { name: "to", label: t("admin.audit_to"), type: "date", value: to },
            { name: "event", label: t("admin.audit_what"), options: EVENT_OPTIONS, value: event },
          ],
          submit: t("admin.show"),
        }),
        dataTable({
          caption: t("admin.audit_events"),
          members: {
            time: "imports.when",
            event: ["admin.audit_what", (kind) => inEnglish(AUDIT_EVENTS[kind])],
            actor: "admin.audit_who",
            subject: "admin.audit_about",
            network: "admin.audit_network",
            details: "admin.audit_details",
            request: "admin.audit_request",
          },
          rows: events,
        }),
        pageLinks(undefined, next === null ? undefined : `/admin/audit?${older}`),
      ],
    });
  },
});

function toEventView({ id, time, event, details, ...row }: AuditRow): EventView {
  // Only these events are stored.
  return { id, time: formatDatetime(time), event: event as AuditEvent, ...row, details: JSON.parse(details) };
}
