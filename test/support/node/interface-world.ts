import { setTimeout as sleep } from "node:timers/promises";
import type { InterfaceLine } from "./interface-lines.ts";

/** Caller of an example that names none, by access level. */
const CALLERS: Readonly<Record<string, string>> = {
  session: "patron",
  "session-page": "patron",
  librarian: "librarian",
  "super-librarian": "openlibrary",
  maintainer: "admin",
  admin: "admin",
  writer: "openlibrary",
  importer: "openlibrary",
  operator: "operator",
};
const HTML = "text/html,application/xhtml+xml,*/*;q=0.8";
const DUMP_WAIT_MS = 250;
const DUMP_TRIES = 240;

interface Write {
  readonly method: string;
  readonly path: string;
  readonly type: string | undefined;
  readonly body: unknown;
}

/** A service with the starter catalog, and what the examples of test/wire/interface.md need besides. */
export class InterfaceWorld {
  /** Values of `$name` in the examples. */
  readonly names = new Map<string, string>();
  private readonly cookies = new Map<string, string>();
  private readonly url: string;
  private readonly token: string;
  private readonly coversSecret: string;

  constructor(url: string, token: string, coversSecret = "") {
    this.url = url;
    this.token = token;
    this.coversSecret = coversSecret;
  }

  /** Makes records that examples change or delete, a check-in, and a dump of everything. */
  async prepare(): Promise<void> {
    for (const name of ["patron", "librarian", "admin", "openlibrary", "reader"]) await this.logIn(name);
    const role = { type: { key: "/type/author_role" }, author: { key: "/authors/OL101A" } };
    const make = async (name: string, document: object) => {
      const key = await this.json("openlibrary", "/api/new.json", document);
      this.names.set(name, String(key).split("/").at(-1) ?? "");
    };
    await make("work", { type: { key: "/type/work" }, title: "To be deleted", authors: [role] });
    await make("otherWork", { type: { key: "/type/work" }, title: "To be changed", authors: [role] });
    await make("author", { type: { key: "/type/author" }, name: "To be merged" });
    const works = [{ key: `/works/${this.names.get("otherWork")}` }];
    for (const name of ["edition", "oldEdition", "oldestEdition"]) {
      await make(name, { type: { key: "/type/edition" }, title: "To be changed", works });
    }
    const numbers = { oclc_numbers: ["987654321"], lccn: ["2001000001"] };
    await make("numbered", { type: { key: "/type/edition" }, title: "With numbers", works, ...numbers });
    await this.put("/libraries/city.json", { type: { key: "/type/library" }, name: "City library" });
    for (const name of ["list", "oldList", "changedList", "replacedList"]) {
      const made = await this.json("patron", "/people/patron/lists.json", { name, seeds: ["/works/OL101W"] });
      this.names.set(name, String(Object(made)["key"]).split("/").at(-1) ?? "");
    }
    const community = { type: { key: "/type/list" }, name: "Everybody's", seeds: [{ key: "/works/OL101W" }] };
    for (const name of ["communityList", "oldCommunityList", "changedCommunityList"]) {
      const made = await this.json("admin", "/lists/add", community);
      this.names.set(name, String(Object(made)["key"]).split("/").at(-1) ?? "");
    }
    for (const [index, name] of ["checkIn", "deletedCheckIn", "otherCheckIn"].entries()) {
      const path = `/works/OL${101 + index}W/check-ins.json`;
      const visit = await this.json("patron", path, { event_type: 1, year: 2026 });
      this.names.set(name, String(Object(visit)["id"]));
    }
    await this.json("patron", "/works/OL102W/bookshelves.json", { bookshelf_id: 1 });
    await this.dump();
  }

  /** Calls the route of a line as its example says. */
  async call({ method, access, example, expected }: InterfaceLine): Promise<Response> {
    const { path, body } = example;
    const role = example.role === "" ? (CALLERS[access] ?? "anonymous") : example.role;
    const headers = new Headers(this.headersOf(role));
    if (expected.kind === "page") headers.set("Accept", HTML);
    if (body !== undefined) headers.set("Content-Type", typeOf(body));
    return fetch(this.url + this.filled(path), {
      method,
      headers,
      redirect: "manual",
      ...(body === undefined ? {} : { body: this.filled(body) }),
    });
  }

  /** Reads a path as a role, again if the service has closed an idle connection. */
  async get(role: string, address: string): Promise<Response> {
    const options = { headers: this.headersOf(role), redirect: "manual" } as const;
    return fetch(this.url + address, options).catch(() => fetch(this.url + address, options));
  }

  /** Sends a write as a role. Fields of a form with a file are given as an object. */
  send(role: string, { method, path, type, body }: Write): Promise<Response> {
    const isForm = type === "multipart/form-data";
    const form = new FormData();
    for (const [name, value] of Object.entries(isForm ? Object(body) : {})) form.set(name, String(value));
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const headers: Record<string, string> = { ...this.headersOf(role), Accept: "application/json" };
    if (type !== undefined && !isForm) headers["Content-Type"] = type;
    const sent = isForm ? form : (text ?? null);
    return fetch(this.url + this.filled(path), { method, headers, body: sent, redirect: "manual" });
  }

  private filled(text: string): string {
    return text.replace(/\$([a-zA-Z]+)/g, (_all, name: string) => {
      const value = this.names.get(name);
      if (value === undefined) throw new Error(`nothing is called $${name}`);
      return value;
    });
  }

  private headersOf(role: string): Record<string, string> {
    if (role === "anonymous") return {};
    if (role === "covers") return { Authorization: `Bearer ${this.coversSecret}` };
    if (role === "operator") return { Authorization: `Bearer ${this.token}` };
    const cookie = this.cookies.get(role);
    if (cookie === undefined) throw new Error(`nobody is called ${role}`);
    return { Cookie: cookie };
  }

  private async logIn(username: string): Promise<void> {
    const response = await fetch(`${this.url}/account/login.json`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ username, password: username }),
    });
    const cookie = response.headers.getSetCookie().find((text) => text.startsWith("session=/"));
    if (cookie === undefined) throw new Error(`${username} cannot log in`);
    this.cookies.set(username, cookie.split(";")[0] ?? "");
  }

  private async json(role: string, path: string, body: unknown): Promise<unknown> {
    const headers = { ...this.headersOf(role), "Content-Type": "application/json" };
    const response = await fetch(this.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  private async put(path: string, document: object): Promise<void> {
    const headers = { ...this.headersOf("openlibrary"), "Content-Type": "application/json" };
    const response = await fetch(this.url + path, {
      method: "PUT",
      headers,
      body: JSON.stringify({ key: path.replace(".json", ""), ...document }),
    });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }

  private async dump(): Promise<void> {
    const begun = Object(await this.json("operator", "/system/dumps", {}));
    this.names.set("today", String(begun["dump"]["date"]));
    for (let tries = 0; tries < DUMP_TRIES; tries += 1) {
      const response = await fetch(`${this.url}/data/ol_dump_latest.txt.gz`, { redirect: "manual" });
      await response.arrayBuffer();
      if (response.status === 302) return;
      await sleep(DUMP_WAIT_MS);
    }
    throw new Error("the dump was not published");
  }
}

function typeOf(body: string): string {
  if (/^[{[]/.test(body)) return "application/json";
  return body.startsWith("<") ? "application/xml" : "application/x-www-form-urlencoded";
}

/** Returns the kind of a body, as the column "Status" of test/wire/interface.md names it. */
export async function kindOf(response: Response): Promise<string> {
  const body = await response.arrayBuffer();
  const type = (response.headers.get("Content-Type") ?? "").split(";")[0] ?? "";
  if (body.byteLength === 0) return response.status < 300 ? "empty" : "";
  const names: Record<string, string> = {
    "application/json": "JSON",
    "text/html": "page",
    "text/plain": "text",
  };
  return names[type] ?? type;
}
