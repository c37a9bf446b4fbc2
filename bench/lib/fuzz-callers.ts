// Accounts in every role. The fuzz replaces them from time to time, because its requests block, demote and delete them.
import { accountLines, bootstrapLines } from "../../scripts/lib/bootstrap.ts";
import { sendLines } from "../../scripts/lib/load-client.ts";
import { type Random, anyOf, below } from "./hostile.ts";

/** Groups of each role that has an account. */
const GROUPS = {
  patron: [],
  librarian: ["librarians"],
  writer: ["api", "super-librarians"],
  admin: ["admin"],
} satisfies Record<string, string[]>;
type AccountRole = keyof typeof GROUPS;
export type Role = AccountRole | "anonymous" | "operator" | "covers";
const ACCOUNT_ROLES = Object.keys(GROUPS) as AccountRole[];
const ROLES: Role[] = ["anonymous", ...ACCOUNT_ROLES, "operator", "covers"];

/** Roles that most requests of an access level are sent as. */
const ROLES_BY_ACCESS: Record<string, Role[]> = {
  operator: ["operator"],
  "cover-writer": ["covers"],
  session: ["patron", "librarian", "writer", "admin"],
  "session-page": ["patron", "librarian", "writer", "admin"],
  writer: ["writer", "admin"],
  importer: ["writer", "admin"],
  librarian: ["librarian", "admin"],
  "super-librarian": ["writer", "admin"],
  inspector: ["admin"],
  admin: ["admin"],
};

/** Settings that administrators' requests change for all clients, with their defaults. */
const DEFAULTS: [path: string, fields: Record<string, string>][] = [
  ["/admin/read-only", { read_only: "false" }],
  ["/admin/spamwords", { spamwords: "", domains: "" }],
  ["/admin/block", { ips: "" }],
];
/** Attempts to save a setting that other requests change at the same time. */
const SETTINGS_TRIES = 5;

export class Callers {
  #url;
  #token;
  #coversSecret;
  #generation = 0;
  #accounts = new Map<AccountRole, { username: string; cookie: string }>();
  #renewal: Promise<void> | undefined;
  /** Renewals because an account could not log in any more. */
  ruined = 0;

  constructor({ url, token, coversSecret }: { url: string; token: string; coversSecret: string }) {
    this.#url = url;
    this.#token = token;
    this.#coversSecret = coversSecret;
  }

  usernames() {
    return [...this.#accounts.values()].map(({ username }) => username);
  }

  /** Creates new accounts for all roles, and resets groups, permissions and settings. */
  renew() {
    this.#renewal ??= this.#createAccounts().finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  async #createAccounts() {
    this.#generation += 1;
    const names = ACCOUNT_ROLES.map((role) => ({ role, username: `f_${role}_${this.#generation}` }));
    const response = await fetch(`${this.#url}/system/development-accounts`, {
      method: "POST",
      headers: { Authorization: `Bearer ${this.#token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ usernames: names.map(({ username }) => username) }),
    });
    if (!response.ok) throw new Error(`new accounts: ${response.status} ${await response.text()}`);
    const revisions = await this.#revisions();
    const lines = [...recordsOf(names)].map((line) => withNextRevision(line, revisions));
    await sendLines(lines, { url: this.#url, token: this.#token, fetch });
    for (const { role, username } of names) {
      const cookie = await this.#login(username);
      if (cookie === undefined) throw new Error(`${username} cannot log in`);
      this.#accounts.set(role, { username, cookie });
    }
    await this.resetSettings();
  }

  /** Reads the current revisions of all records that `recordsOf` writes. */
  async #revisions() {
    const revisions = new Map<string, number>();
    for (const type of ["type", "usergroup", "permission", "user"]) {
      for (let offset = 0; ; offset += 1000) {
        const query = `type=/type/${type}&revision=&limit=1000&offset=${offset}`;
        const response = await fetch(`${this.#url}/query.json?${query}`);
        const rows = (response.ok ? await response.json() : []) as { key: string; revision: number }[];
        for (const { key, revision } of rows) revisions.set(key, revision);
        if (rows.length < 1000) break;
      }
    }
    return revisions;
  }

  async resetSettings() {
    const cookie = this.#accounts.get("admin")?.cookie ?? "";
    for (const [path, fields] of DEFAULTS) {
      for (let tries = 0; ; tries += 1) {
        const response = await fetch(this.#url + path, {
          method: "POST",
          redirect: "manual",
          headers: { Cookie: cookie },
          body: new URLSearchParams(fields),
        });
        await response.arrayBuffer();
        // A request may just have ended the administrator's session; the next renewal repairs that.
        if (response.ok || [401, 403].includes(response.status)) break;
        // 409: another request changed the setting first.
        if (response.status !== 409 || tries === SETTINGS_TRIES)
          throw new Error(`${path}: ${response.status}`);
      }
    }
  }

  /** Logs a role in again after a 401. Renews all accounts if that fails. */
  async relogin(role: Role) {
    const account = this.#accounts.get(role as AccountRole);
    if (account === undefined || this.#renewal !== undefined) return;
    const cookie = await this.#login(account.username);
    if (cookie !== undefined) account.cookie = cookie;
    else if (this.#accounts.get(role as AccountRole) === account) {
      this.ruined += 1;
      await this.renew();
    }
  }

  async #login(username: string) {
    const response = await fetch(`${this.#url}/account/login.json`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ username, password: username }),
    });
    await response.arrayBuffer();
    const cookie = response.headers.getSetCookie().find((text) => text.startsWith("session=/"));
    return cookie?.split(";")[0];
  }

  /** Returns the headers of a role. The record store takes the session under another name. */
  headersOf(role: Role, isRecordStore: boolean): Record<string, string> {
    if (role === "anonymous") return {};
    if (role === "operator") return { Authorization: `Bearer ${this.#token}` };
    if (role === "covers") return { Authorization: `Bearer ${this.#coversSecret}` };
    const cookie = this.#accounts.get(role)?.cookie ?? "";
    return { Cookie: isRecordStore ? cookie.replace(/^session=/, "infobase_auth_token=") : cookie };
  }
}

/** Picks a role for a request: usually one that has access. */
export function roleFor(access: string, random: Random): Role {
  const suitable = ROLES_BY_ACCESS[access];
  return anyOf(random, suitable !== undefined && random() < 0.8 ? suitable : ROLES);
}

/** Returns an address for a request: rate limits and blocks are by address. */
export function clientAddress(random: Random) {
  return `198.${18 + below(random, 2)}.${below(random, 256)}.${below(random, 256)}`;
}

/** Yields the records of a new service as lines of a dump, with these users as members of their groups. */
function* recordsOf(names: { role: AccountRole; username: string }[]) {
  for (const line of bootstrapLines({ development: true })) {
    const group = /^\S+\t\/usergroup\/([\w-]+)\t/.exec(line)?.[1] ?? "";
    const members = names.filter(({ role }) => (GROUPS[role] as string[]).includes(group));
    yield members.length === 0 ? line : withMembers(line, members);
  }
  for (const { username } of names) yield* accountLines(username);
}

function withMembers(line: string, names: { username: string }[]) {
  const [type, key, revision, time, text = "{}"] = line.split("\t");
  const document = JSON.parse(text);
  const more = names.map(({ username }) => ({ key: `/people/${username}` }));
  const members = [...(document.members ?? []), ...more];
  return [type, key, revision, time, JSON.stringify({ ...document, members })].join("\t");
}

function withNextRevision(line: string, revisions: Map<string, number>) {
  const [type, key = "", , time, text = "{}"] = line.split("\t");
  const revision = (revisions.get(key) ?? 0) + 1;
  const document = { ...JSON.parse(text), revision, latest_revision: revision };
  return [type, key, revision, time, JSON.stringify(document)].join("\t");
}
