import { deleteOldAudit, deleteSurplusAudit, keepAudit } from "../../db/service/write-audit.ts";
import { clientGroup, isAddress } from "./client-address.ts";
import { logLine, loggable } from "./log.ts";
import type { RequestContext } from "./operation.ts";
import type { Jobs } from "./queue.ts";

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
  merged: "Records merged",
  deleted: "Record deleted",
  reverted: "Changes reverted",
  "setting-changed": "Setting changed",
} as const;
type AuditEvent = keyof typeof AUDIT_EVENTS;

interface Entry {
  readonly event: AuditEvent;
  /** `/people/<username>`, or `operator`; absent: whose session it is. */
  readonly actor?: string | null;
  /** Key of a record, such as an account's, or the name of a setting. */
  readonly subject?: string | undefined;
  /** No secrets and no e-mail addresses. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

type AuditContext = Pick<
  RequestContext,
  "stores" | "sources" | "client" | "requestId" | "session" | "waitUntil"
>;

/**
 * Says that something has happened, in the log and in the table. Attempts are stored after the answer, so many an hour;
 * of the others nobody hears that they were done before they are stored, or could not be.
 */
export async function audit(context: AuditContext, entry: Entry): Promise<void> {
  const { stores, sources, requestId: request } = context;
  const { event, subject = null, details = {} } = entry;
  const actor = entry.actor === undefined ? ((await context.session())?.key ?? null) : entry.actor;
  const row = { time: sources.now(), event, actor, subject, network: networkOf(context.client), request };
  logLine("info", "audit", { audit: { ...row, details } });
  const isAttempt = event in ATTEMPTS;
  const kept = keepAudit(stores.patrons, { ...row, details: JSON.stringify(details) }, isAttempt);
  if (!isAttempt) return kept;
  context.waitUntil(kept.catch(notKept));
}

function notKept(error: unknown): void {
  logLine("error", "audit", { error: String(loggable(error)) });
}

/** The /24 of an IPv4 address, the /48 of an IPv6 address: enough to tell attackers apart, too little to follow a person. */
function networkOf(client: string): string {
  const ipv4 = client.slice(client.lastIndexOf(":") + 1);
  if (isAddress(ipv4)) return ipv4.replace(/\.\d+$/, ".0/24");
  return client.includes(":") ? `${clientGroup(client).split(":").slice(0, 3).join(":")}::/48` : "local";
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
