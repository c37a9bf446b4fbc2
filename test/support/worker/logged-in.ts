import { env } from "cloudflare:workers";
import { formatDatetime } from "../../../src/catalog/datetime.ts";
import { sealToken } from "../../../src/worker/http/cookie.ts";
import type { TestRecord, TestService } from "./service.ts";

/** A patron with an open session, who calls the service under test. */
export interface LoggedIn {
  readonly username: string;
  readonly key: string;
  readonly headers: { readonly Cookie: string };
  /** Calls the main site with the session; redirects are not followed. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  json(path: string, init?: RequestInit): Promise<unknown>;
}

interface What {
  /** Names of the usergroups that the patron is a member of besides the virtual ones. */
  readonly groups?: readonly string[];
  readonly bot?: boolean;
  readonly status?: "pending" | "active" | "blocked";
}

let sessions = 0;

/**
 * Makes an account with its records and group memberships, as the loader would, and opens a session for it. The groups
 * that it names then have it as their only member, besides those named for the same service before.
 */
export async function loggedIn(
  service: TestService,
  username: string,
  { groups = [], bot = false, status = "active" }: What = {},
): Promise<LoggedIn> {
  const key = `/people/${username}`;
  const patron = env.PATRON.getByName(username.toLowerCase());
  await Promise.all([
    createAccount(username, { bot, status, now: service.now }),
    service.load(...accountRecords(key, username)),
    // An account of the same name may have been blocked before.
    patron.bar(false),
  ]);
  for (const group of groups) await join(service, group, key);
  const id = `test-session-${(sessions += 1)}`;
  await patron.openSession({
    id,
    opened: service.now,
    expires: service.now + 86_400_000,
    remembered: false,
    client: "local",
  });
  // As an administrator who blocks an account does it.
  if (status === "blocked") await patron.bar(true);
  const token = { username, time: formatDatetime(service.now).slice(0, 19), id };
  const headers = { Cookie: `session=${await sealToken(token, env.SESSION_SECRET)}` };
  const call = (path: string, init: RequestInit = {}): Promise<Response> =>
    service.fetch(path, { ...init, headers: { ...headers, ...asObject(init.headers) } });
  return {
    username,
    key,
    headers,
    fetch: call,
    json: async (path, init) => (await call(path, init)).json(),
  };
}

function asObject(headers: RequestInit["headers"]): Record<string, string> {
  return Object.fromEntries(new Headers(headers));
}

async function createAccount(
  username: string,
  { bot, status, now }: { bot: boolean; status: string; now: number },
): Promise<void> {
  await env.PATRONS.prepare(
    `INSERT OR REPLACE INTO account (username, username_folded, email, email_folded, status, bot, created)
     VALUES (?1, lower(?1), ?2, lower(?2), ?3, ?4, ?5)`,
  )
    .bind(username, `${username}@example.com`, status, Number(bot), formatDatetime(now))
    .run();
}

function accountRecords(key: string, username: string): TestRecord[] {
  const own = [{ key: `${key}/usergroup` }];
  return [
    { key, type: "/type/user", displayname: username, permission: { key: `${key}/permission` } },
    { key: `${key}/usergroup`, type: "/type/usergroup", members: [{ key }] },
    {
      key: `${key}/permission`,
      type: "/type/permission",
      readers: [{ key: "/usergroup/everyone" }],
      writers: own,
      admins: own,
    },
  ];
}

async function join(service: TestService, group: string, member: string): Promise<void> {
  const key = `/usergroup/${group}`;
  const response = await service.fetch(`${key}.json`);
  const before = response.ok
    ? await response.json<{ revision: number; members?: { key: string }[] }>()
    : undefined;
  const members = [...(before?.members ?? []), { key: member }];
  await service.load({ key, type: "/type/usergroup", revision: (before?.revision ?? 0) + 1, members });
}
