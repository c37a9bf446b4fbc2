import { createMiddleware } from "hono/factory";
import { datetimeText } from "../../catalog/datetime.ts";
import { deleteOldAudit, deleteSurplusAudit, keepAudit } from "../../db/service/write-audit.ts";
import { clientGroup, isAddress } from "../http/client-address.ts";
import { logLine, loggable } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Jobs } from "../http/queue.ts";
import type { Carried } from "../http/serve.ts";

/** What the audit log knows, and what people read of it. The first ones, attempts, may come in floods. */
const ATTEMPTS = {
  login: "Logged in",
  "login-failed": "Login failed",
  "login-throttled": "Login refused: too many failed before",
  "access-refused": "Access refused",
} as const;
export const AUDIT_EVENTS = {
  ...ATTEMPTS,
  "password-changed": "Password changed",
  "email-changed": "E-mail address changed",
  "key-made": "Keys for programs made",
  "key-deleted": "Keys for programs deleted",
  "sessions-ended": "Sessions ended",
  "account-activated": "Account activated",
  "account-blocked": "Account blocked",
  "account-unblocked": "Account unblocked",
  "account-changed": "Account changed",
  "account-removed": "Account removed",
  "role-given": "Role given",
  "role-taken": "Role taken",
  "rights-changed": "Group or permission changed",
  merged: "Records merged",
  deleted: "Record deleted",
  reverted: "Changes reverted",
  "setting-changed": "Setting changed",
} as const;
export type AuditEvent = keyof typeof AUDIT_EVENTS;

export interface AuditEntry {
  readonly event: AuditEvent;
  /** `/people/<username>`, or `operator`; absent: whose session it is. */
  readonly actor?: string | null | undefined;
  /** Key of a record, such as an account's, or the name of a setting. */
  readonly subject?: string | undefined | Promise<string | undefined>;
  /** Besides the operation; no secrets and no e-mail addresses. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * Says that something has happened, in the log and in the table. Attempts are stored after the answer, and only so many of
 * one network; of the others nobody hears that they were done before they are stored. Throws when that fails.
 */
export async function audit(context: RequestContext, entry: AuditEntry): Promise<void> {
  const stored = store(context, entry);
  if (!isAttempt(entry)) return stored;
  context.waitUntil(stored.catch(notStored));
}

async function store(context: RequestContext, entry: AuditEntry): Promise<void> {
  const { stores, sources, client, requestId: request, trace } = context;
  const { event } = entry;
  const time = sources.now();
  const actor = entry.actor === undefined ? ((await context.session())?.key ?? null) : entry.actor;
  const subject = (await entry.subject) ?? null;
  const details = { operation: trace.operation, ...entry.details };
  const row = { time, event, actor, subject, network: networkOf(client), request };
  logLine("info", "audit", { audit: { ...row, time: datetimeText(time), details } });
  await keepAudit(stores.patrons, { ...row, details: JSON.stringify(details) }, isAttempt(entry));
}

function isAttempt({ event }: AuditEntry): boolean {
  return event in ATTEMPTS;
}

function notStored(error: unknown): void {
  logLine("error", "audit", { error: String(loggable(error)) });
}

/** Says after the answer that somebody who is logged in, or has sent a token, was refused. */
export const auditRefusals = createMiddleware<Carried>(async (c, next) => {
  await next();
  const { status } = c.res;
  const context = c.env.carrel;
  if (status === 401 || status === 403) context.waitUntil(auditRefusal(context, status).catch(notStored));
});

async function auditRefusal(context: RequestContext, status: number): Promise<void> {
  const isKnown = context.request.headers.has("Authorization") || (await context.session()) !== undefined;
  if (isKnown) await audit(context, { event: "access-refused", details: { status } });
}

/** The /24 of an IPv4 address, the /48 of an IPv6 address: enough to tell attackers apart, too little to follow a person. */
function networkOf(client: string): string {
  const group = clientGroup(client);
  if (isAddress(group)) return group.replace(/\.\d+$/, ".0/24");
  return group.includes(":") ? `${group.split(":").slice(0, 3).join(":")}::/48` : "local";
}

/** For how many days events are kept. */
export const AUDIT_DAYS = 400;
const DAY_MS = 86_400_000;
/** Attempts that are not among so many of the newest events go before that. */
const AUDIT_ROWS = 1_000_000;
/** Statements by which one sweep deletes what is too old, and what is too much of one event. */
const AUDIT_STATEMENTS = 20;

/** The sweep: deletes what is too old, and attempts of which there are too many. */
export async function sweepAudit({ stores: { patrons }, sources }: Jobs): Promise<void> {
  await repeated(() => deleteOldAudit(patrons, sources.now() - AUDIT_DAYS * DAY_MS));
  for (const event of Object.keys(ATTEMPTS)) {
    await repeated(() => deleteSurplusAudit(patrons, event, AUDIT_ROWS));
  }
}

async function repeated(deleteSome: () => Promise<boolean>): Promise<void> {
  for (let count = 0; count < AUDIT_STATEMENTS && (await deleteSome()); count += 1);
}
