import { DAY_MS } from "../../catalog/units.ts";
import { createMiddleware } from "hono/factory";
import { formatDatetime } from "../../catalog/datetime.ts";
import { deleteOldAudit, deleteSurplusAudit, storeAudit } from "../../db/service/audit-log.ts";
import { clientGroup, isAddress } from "../http/client-address.ts";
import { logLine, loggable } from "../http/log.ts";
import type { RequestContext, HonoEnv } from "../http/operation.ts";
import type { Jobs } from "../http/queue.ts";

/** Audit events and their labels for people. Attempts come first: they may arrive in floods. */
const ATTEMPTS = {
  login: "Logged in",
  "login-failed": "Login failed",
  "login-throttled": "Login refused: too many failed before",
  "access-refused": "Access refused",
} as const;
export const AUDIT_EVENTS = {
  ...ATTEMPTS,
  "password-changed": "Changed",
  "link-made": "Password link created",
  "email-changed": "Email address changed",
  "key-made": "API key created",
  "key-deleted": "API key deleted",
  "token-made": "Token created",
  "token-revoked": "Token or app revoked",
  "token-resumed": "Token used after a month",
  "token-replayed": "Token used twice: access ended",
  "app-allowed": "App allowed",
  "sync-key-made": "Sync key created",
  "sync-key-deleted": "Sync key deleted",
  "sessions-ended": "Sessions logged out",
  "account-activated": "Account activated",
  "account-blocked": "Account blocked",
  "account-unblocked": "Account unblocked",
  "account-changed": "Account changed",
  "account-removed": "Account deleted",
  "role-given": "Role granted",
  "role-taken": "Role revoked",
  "rights-changed": "Group or permission changed",
  merged: "Records merged",
  deleted: "Record deleted",
  reverted: "Changes reverted",
  "setting-changed": "Setting changed",
} as const;
export type AuditEvent = keyof typeof AUDIT_EVENTS;

export interface AuditEntry {
  readonly event: AuditEvent;
  /** `/people/<username>` or `operator`; the owner of the session if absent. */
  readonly actor?: string | null | undefined;
  /** Key of a record, such as an account's, or name of a setting. */
  readonly subject?: string | undefined | Promise<string | undefined>;
  /** Details besides the operation; no secrets and no email addresses. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * Records an event in the log and in the table. Attempts are stored after the answer, and only a limited number per
 * network. All other events are stored before the client gets an answer. Throws if storing fails.
 */
export async function audit(context: RequestContext, entry: AuditEntry): Promise<void> {
  const storing = storeEvent(context, entry);
  if (!isAttempt(entry)) return storing;
  context.waitUntil(storing.catch(logNotStored));
}

async function storeEvent(context: RequestContext, entry: AuditEntry): Promise<void> {
  const { stores, sources, client, requestId: request, trace } = context;
  const { event } = entry;
  const time = sources.now();
  const actor = entry.actor === undefined ? ((await context.session())?.key ?? null) : entry.actor;
  const subject = (await entry.subject) ?? null;
  const details = { operation: trace.operation, ...entry.details };
  const row = { time, event, actor, subject, network: networkOf(client), request };
  logLine("info", "audit", { audit: { ...row, time: formatDatetime(time), details } });
  await storeAudit(stores.patrons, { ...row, details: JSON.stringify(details) }, isAttempt(entry));
}

function isAttempt({ event }: AuditEntry): boolean {
  return event in ATTEMPTS;
}

function logNotStored(error: unknown): void {
  logLine("error", "audit", { error: String(loggable(error)) });
}

/** Records, after the answer, that a client with a session or a token was refused, or uses a token after a month. */
export const auditRefusals = createMiddleware<HonoEnv>(async (c, next) => {
  await next();
  const { status } = c.res;
  const context = c.env.carrel;
  const { longUnused: subject } = context.trace;
  if (subject !== undefined) {
    context.waitUntil(
      audit(context, { event: "token-resumed", actor: subject, subject }).catch(logNotStored),
    );
  }
  if (status === 401 || status === 403) context.waitUntil(auditRefusal(context, status).catch(logNotStored));
});

async function auditRefusal(context: RequestContext, status: number): Promise<void> {
  const isKnown = context.request.headers.has("Authorization") || (await context.session()) !== undefined;
  if (isKnown) await audit(context, { event: "access-refused", details: { status } });
}

/** Returns the /24 or /48 of an address: enough to tell attackers apart, too little to follow a person. */
function networkOf(client: string): string {
  const group = clientGroup(client);
  if (isAddress(group)) return group.replace(/\.\d+$/, ".0/24");
  return group.includes(":") ? `${group.split(":").slice(0, 3).join(":")}::/48` : "local";
}

export const AUDIT_DAYS = 400;
/** Attempts that are not among this many newest events are deleted before `AUDIT_DAYS` are over. */
const AUDIT_ROWS = 1_000_000;
const AUDIT_STATEMENTS = 20;

/** Scheduled task: deletes old events, and attempts beyond the limit. */
export async function pruneAudit({ stores: { patrons }, sources }: Jobs): Promise<void> {
  await repeatDelete(() => deleteOldAudit(patrons, sources.now() - AUDIT_DAYS * DAY_MS));
  for (const event of Object.keys(ATTEMPTS)) {
    await repeatDelete(() => deleteSurplusAudit(patrons, event, AUDIT_ROWS));
  }
}

async function repeatDelete(deleteSome: () => Promise<boolean>): Promise<void> {
  for (let count = 0; count < AUDIT_STATEMENTS && (await deleteSome()); count += 1);
}
