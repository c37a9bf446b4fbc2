/** Who calls: accounts in every role, made anew from time to time, because requests remove, block and degrade them. */
import { accountLines, bootstrapLines } from "../../scripts/lib/bootstrap.mjs";
import { sendLines } from "../../scripts/lib/load-client.mjs";
import { anyOf, below } from "../lib/hostile.mjs";

/** @import { Operation } from "./description.mjs" */

/** @typedef {"anonymous" | "patron" | "librarian" | "writer" | "admin" | "operator" | "covers"} Role */
/** @typedef {{ url: string, token: string, coversSecret: string, random: () => number }} Service */

/** Groups of the roles that have an account. */
const GROUPS = {
  patron: [],
  librarian: ["librarians"],
  writer: ["api", "super-librarians"],
  admin: ["admin"],
};
/** @typedef {keyof typeof GROUPS} AccountRole */
const ACCOUNT_ROLES = /** @type {AccountRole[]} */ (Object.keys(GROUPS));
/** @param {string} role @returns {role is AccountRole} */
export function isAccountRole(role) {
  return Object.hasOwn(GROUPS, role);
}

/** Settings that requests of administrators change for everybody. */
const USUAL = /** @type {[path: string, fields: Record<string, string>][]} */ ([
  ["/admin/read-only", { read_only: "false" }],
  ["/admin/spamwords", { spamwords: "", domains: "" }],
  ["/admin/block", { ips: "" }],
]);

/** How often settings are sent that others change at the same time. */
const SETTLING_TRIES = 5;

export class Callers {
  #service;
  #generation = 0;
  /** @type {Map<AccountRole, { username: string, cookie: string }>} */
  #accounts = new Map();
  /** @type {Promise<void> | undefined} */
  #renewing;
  /** Accounts that were ruined before their time. */
  ruined = 0;

  /** @param {Service} service */
  constructor(service) {
    this.#service = service;
  }

  usernames() {
    return [...this.#accounts.values()].map(({ username }) => username);
  }

  cookies() {
    return [...this.#accounts.values()].map(({ cookie }) => cookie);
  }

  /** New accounts for all roles; groups, permissions and settings as they were at the beginning. */
  renew() {
    this.#renewing ??= this.#renewed().finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #renewed() {
    this.#generation += 1;
    const { url, token } = this.#service;
    const names = ACCOUNT_ROLES.map((role) => /** @type {const} */ ([role, `f_${role}_${this.#generation}`]));
    await this.#post("/system/development-accounts", { usernames: names.map(([, name]) => name) });
    const lines = [...this.#usualRecords(names)].map(withRevision(await this.#revisions()));
    await sendLines(lines, { url, token, fetch });
    for (const [role, username] of names) {
      const cookie = await this.#session(username);
      if (cookie === undefined) throw new Error(`${username} cannot log in`);
      this.#accounts.set(role, { username, cookie });
    }
    await this.settle();
  }

  /** @param {readonly (readonly [AccountRole, string])[]} names */
  *#usualRecords(names) {
    for (const line of bootstrapLines({ development: true })) {
      const group = /^\S+\t\/usergroup\/([\w-]+)\t/.exec(line)?.[1];
      const members = names.filter(([role]) => GROUPS[role].includes(/** @type {never} */ (group)));
      yield members.length === 0
        ? line
        : withMembers(
            line,
            members.map(([, name]) => name),
          );
    }
    for (const [, name] of names) yield* accountLines(name);
  }

  /** Revisions of all records that `#usualRecords` may write again. */
  async #revisions() {
    /** @type {Map<string, number>} */
    const revisions = new Map();
    for (const type of ["type", "usergroup", "permission", "user"]) {
      for (let offset = 0; ; offset += 1000) {
        const query = `type=/type/${type}&revision=&limit=1000&offset=${offset}`;
        const response = await fetch(`${this.#service.url}/query.json?${query}`);
        const found = response.ok ? await response.json() : [];
        const rows = /** @type {{ key: string, revision: number }[]} */ (found);
        for (const { key, revision } of rows) revisions.set(key, revision);
        if (rows.length < 1000) break;
      }
    }
    return revisions;
  }

  /** Settings that hold for everybody as they were at the beginning. */
  async settle() {
    const cookie = this.#accounts.get("admin")?.cookie ?? "";
    for (const [path, fields] of USUAL) {
      for (let tries = 0; ; tries += 1) {
        const response = await fetch(this.#service.url + path, {
          method: "POST",
          redirect: "manual",
          headers: { Cookie: cookie, "CF-Connecting-IP": this.address() },
          body: new URLSearchParams(fields),
        });
        await response.arrayBuffer();
        // The administrator's own session may just have been ended; accounts are made anew soon.
        if (response.ok || [401, 403].includes(response.status)) break;
        // Another request was faster to change them.
        if (response.status !== 409 || tries === SETTLING_TRIES)
          throw new Error(`${path}: ${response.status}`);
      }
    }
  }

  /**
   * Opens a session for a role again; when its account does not let it any more, all accounts are made anew. @param
   * {AccountRole} role
   */
  async login(role) {
    const account = this.#accounts.get(role);
    if (account === undefined || this.#renewing !== undefined) return this.#renewing;
    const cookie = await this.#session(account.username);
    if (cookie !== undefined) account.cookie = cookie;
    else if (this.#accounts.get(role) === account) {
      this.ruined += 1;
      await this.renew();
    }
  }

  /** @param {string} username */
  async #session(username) {
    const response = await fetch(`${this.#service.url}/account/login.json`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "CF-Connecting-IP": this.address() },
      body: JSON.stringify({ username, password: username }),
    });
    await response.arrayBuffer();
    const cookie = response.headers.getSetCookie().find((text) => text.startsWith("session=/"));
    return cookie?.split(";")[0];
  }

  /** Who sends a request of an operation: mostly somebody who may. @param {Operation} operation @returns {Role} */
  roleFor({ asks }) {
    const { random } = this.#service;
    if (asks === "token" && random() < 0.7) return "operator";
    if (asks === "covers" && random() < 0.7) return "covers";
    if (asks === "session" && random() < 0.85)
      return anyOf(random, ["patron", "librarian", "writer", "admin", "admin"]);
    return anyOf(random, [
      "anonymous",
      "anonymous",
      "patron",
      "librarian",
      "writer",
      "admin",
      "operator",
      "covers",
    ]);
  }

  /** @param {Role} role @returns {Record<string, string>} */
  headersOf(role) {
    const address = { "CF-Connecting-IP": this.address() };
    if (role === "anonymous") return address;
    if (role === "operator") return { ...address, Authorization: `Bearer ${this.#service.token}` };
    if (role === "covers") return { ...address, Authorization: `Bearer ${this.#service.coversSecret}` };
    return { ...address, Cookie: this.#accounts.get(role)?.cookie ?? "" };
  }

  /** An address of its own for each request: budgets and blocks are by address. */
  address() {
    const { random } = this.#service;
    return `198.${18 + below(random, 2)}.${below(random, 256)}.${below(random, 256)}`;
  }

  /** @param {string} path @param {unknown} body */
  async #post(path, body) {
    const { url, token } = this.#service;
    const response = await fetch(url + path, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }
}

/** @param {string} line @param {readonly string[]} names */
function withMembers(line, names) {
  const [type, key, revision, time, text = "{}"] = line.split("\t");
  const document = JSON.parse(text);
  const members = [...(document.members ?? []), ...names.map((name) => ({ key: `/people/${name}` }))];
  return [type, key, revision, time, JSON.stringify({ ...document, members })].join("\t");
}

/** Makes a line the next revision of its record. @param {Map<string, number>} revisions */
function withRevision(revisions) {
  return (/** @type {string} */ line) => {
    const [type, key = "", , time, text = "{}"] = line.split("\t");
    const revision = (revisions.get(key) ?? 0) + 1;
    const document = { ...JSON.parse(text), revision, latest_revision: revision };
    return [type, key, revision, time, JSON.stringify(document)].join("\t");
  };
}
