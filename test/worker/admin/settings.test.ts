import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setServiceState } from "../../../src/db/service/service-state.ts";
import { READ_ONLY_RETRY_SECONDS } from "../../../src/worker/http/read-only.ts";
import { emptyCatalog, stored } from "../../support/worker/desk.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { edition, editionKey, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const HTML = { Accept: "text/html" };
const JSON_TYPE = { "Content-Type": "application/json" };
const people = new Map<string, LoggedIn>();

beforeAll(async () => {
  await emptyCatalog();
  await env.CATALOG.exec("DELETE FROM change_data");
  await service.load(work(1), work(2), edition(1));
  const roles = {
    boss: ["admin"],
    writer: ["api"],
    reader: ["api", "read-only"],
    keeper: ["api", "librarians"],
  };
  for (const [name, groups] of Object.entries(roles))
    people.set(name, await loggedIn(service, name, { groups }));
  people.set("robot", await loggedIn(service, "robot", { bot: true }));
  people.set("pending", await loggedIn(service, "pending", { groups: ["api"], status: "pending" }));
});
beforeEach(async () => {
  service.now += 10_000;
  await env.PATRONS.exec("DELETE FROM store_document; DELETE FROM store_index");
  await env.CATALOG.exec("DELETE FROM service_state");
});

function person(name: string): LoggedIn {
  const found = people.get(name);
  if (found === undefined) throw new Error(`nobody is called ${name}`);
  return found;
}

function send(path: string, fields: object, who = "boss"): Promise<Response> {
  const init = { method: "POST", body: JSON.stringify(fields), headers: JSON_TYPE };
  return person(who).fetch(path, init);
}

function make(title: string, who: string, headers: Record<string, string> = {}): Promise<Response> {
  const body = JSON.stringify({ type: { key: "/type/work" }, title });
  return person(who).fetch("/api/new.json", { method: "POST", body, headers: { ...JSON_TYPE, ...headers } });
}

const GOOD = { spamwords: ["casino"], domains: [] };

describe("POST /admin/spamwords", () => {
  it.each([
    ["writer", GOOD, "A good book", 200],
    ["writer", GOOD, "The CASINO", 403],
    ["keeper", GOOD, "The Casino", 200],
    ["robot", GOOD, "The Casino", 200],
    ["boss", GOOD, "The Casino", 200],
    ["writer", { spamwords: [""], domains: ["Example.com"] }, "A good book", 403],
    ["keeper", { spamwords: [""], domains: ["example.com"] }, "A good book", 200],
    ["reader", GOOD, "A good book", 403],
    ["pending", GOOD, "A good book", 403],
  ])("lets %s with %j write %s: %i", async (who, settings, title, status) => {
    expect(await (await send("/admin/spamwords", settings)).json()).toEqual({ ok: "true" });
    const answer = await make(title, who);
    expect(answer.status).toBe(status);
    if (status === 403)
      expect(await answer.json()).toEqual({ error: "permission_denied", message: expect.any(String) });
  });

  it("applies to comments and to every document", async () => {
    await send("/admin/spamwords", GOOD);
    const documents = [1, 2].map((id) => ({
      key: workKey(id),
      type: { key: "/type/work" },
      title: `T${id}`,
    }));
    const save = (body: object, comment: string) =>
      person("writer").fetch("/api/save_many", {
        method: "POST",
        body: JSON.stringify(body),
        headers: { ...JSON_TYPE, Opt: '"http://openlibrary.org/dev/docs/api"; ns=42', "42-comment": comment },
      });
    expect((await save(documents, "best casino")).status).toBe(403);
    expect((await save([documents[0], { ...documents[1], subtitle: "a casino" }], "fine")).status).toBe(403);
    expect((await save(documents, "fine")).status).toBe(200);
  });

  it("reaches other isolates within seconds", async () => {
    const other = testService();
    other.now = service.now;
    const writer = { ...person("writer").headers, ...JSON_TYPE };
    const body = JSON.stringify({ type: { key: "/type/work" }, title: "A casino" });
    const makeThere = () => other.fetch("/api/new.json", { method: "POST", body, headers: writer });
    expect((await makeThere()).status).toBe(200);
    await send("/admin/spamwords", GOOD);
    other.now += 6000;
    expect((await makeThere()).status).toBe(403);
  });

  it("stores and shows the words as sent", async () => {
    await send("/admin/spamwords", {
      spamwords: "casino\n\n cheap.*pills \ncasino",
      domains: "Spam.Example",
    });
    const { rev, ...shown } = (await person("boss").json("/admin/spamwords.json")) as { rev: number };
    expect(shown).toEqual({ spamwords: ["casino", "cheap.*pills"], domains: ["spam.example"] });
    expect((await send("/admin/spamwords", { domains: [""], rev })).status).toBe(200);
    expect((await send("/admin/spamwords", { domains: ["x.example"], rev })).status).toBe(409);
    expect(await person("boss").json("/admin/spamwords.json")).toMatchObject({
      spamwords: ["casino", "cheap.*pills"],
      domains: [],
    });
  });

  it.each([[{ spamwords: ["(a+)+"] }], [{ spamwords: ["("] }], [{ domains: ["not a domain"] }], [{}]])(
    "refuses %j",
    async (settings) => expect((await send("/admin/spamwords", settings)).status).toBe(400),
  );
});

describe("POST /admin/block", () => {
  const FROM = { "CF-Connecting-IP": "203.0.113.66" };

  it("lets blocked addresses only read, log in and log out", async () => {
    expect((await make("One", "writer", FROM)).status).toBe(200);
    expect(await (await send("/admin/block", { ips: "203.0.113.66\n2001:DB8:0::1" })).json()).toEqual({
      ok: "true",
    });
    const refused = await make("Two", "writer", FROM);
    expect([refused.status, await refused.json()]).toMatchObject([403, { error: "permission_denied" }]);
    for (const address of ["2001:db8::1", "2001:db8::ffff:2"]) {
      expect((await make("Two", "writer", { "CF-Connecting-IP": address })).status).toBe(403);
    }
    expect((await make("Two", "writer", { "CF-Connecting-IP": "2001:db8:0:1::1" })).status).toBe(200);
    expect((await make("Two", "writer")).status).toBe(200);
    expect((await service.fetch(`${workKey(1)}.json`, { headers: FROM })).status).toBe(200);
    expect((await service.fetch(`${workKey(1)}/edit`, { headers: FROM })).status).toBe(403);
    const login = await service.fetch("/account/login", {
      method: "POST",
      headers: { ...FROM, ...JSON_TYPE },
      body: "{}",
    });
    expect(login.status).toBe(400);
    expect((await service.fetch("/account/logout", { method: "POST", headers: FROM })).status).toBe(303);
    // Administrators may have blocked themselves.
    const headers = { ...FROM, ...JSON_TYPE };
    const body = JSON.stringify({ ips: "" });
    expect((await person("boss").fetch("/admin/block", { method: "POST", headers, body })).status).toBe(200);
    expect((await make("Two", "writer", FROM)).status).toBe(200);
  });

  it("stores the addresses as the record /admin/block", async () => {
    await send("/admin/block", { ips: ["198.51.100.1", "198.51.100.2"] });
    const ips = [{ ip: "198.51.100.1" }, { ip: "198.51.100.2" }];
    expect(await stored("/admin/block")).toMatchObject({ ips });
    expect(await person("boss").json("/admin/block.json")).toEqual({ ips });
    expect((await send("/admin/block", { ips: "somewhere" })).status).toBe(400);
    expect((await send("/admin/block", { ips: "" })).status).toBe(200);
  });
});

describe("POST /admin/read-only", () => {
  it("refuses all writes until it ends", async () => {
    expect(await (await send("/admin/read-only", { read_only: true })).json()).toMatchObject({
      ok: "true",
      read_only: true,
      by: "/people/boss",
    });
    const refused = await make("A book", "writer");
    expect(refused.status).toBe(503);
    expect(refused.headers.get("Retry-After")).toBe(String(READ_ONLY_RETRY_SECONDS));
    const message = "The catalog is read-only right now. Try again later.";
    expect(await refused.json()).toEqual({ error: "read_only", message, detail: message });
    for (const path of ["/account/preferences.json", "/account/password/forgot", "/merges"]) {
      expect([path, (await send(path, {}, "writer")).status]).toEqual([path, 503]);
    }
    // Access is checked first.
    expect((await service.fetch("/api/new.json", { method: "POST", body: "{}" })).status).toBe(403);
    expect((await send("/account/sessions.json", {}, "writer")).status).toBe(200);
    expect((await service.fetch(`${workKey(1)}.json`)).status).toBe(200);
    for (const path of ["/account/verify", "/account/email/verify/00"])
      expect([path, (await send(path, { t: "00" })).status]).toEqual([path, 503]);
    // Saving goes through the desk, which knows by itself.
    const role = await send("/admin/people/writer/groups", { action: "add", group: "curators" });
    expect([role.status, await role.json()]).toMatchObject([503, { error: "read_only" }]);
    expect((await send("/admin/people/writer", { action: "add_tag", tag: "x" })).status).toBe(200);
    expect((await send("/system/index", {}, "writer")).status).toBe(401);
    expect(await person("boss").json("/admin.json")).toMatchObject({ read_only: { read_only: true } });
    expect((await send("/admin/read-only", { read_only: false })).status).toBe(200);
    expect((await make("A book", "writer")).status).toBe(200);
    expect(await person("boss").json("/admin/read-only.json")).toMatchObject({
      read_only: false,
      by: "/people/boss",
    });
  });
});

describe("read-only mode because of a full disk", () => {
  it("names the reason", async () => {
    const set = { changed: "2026-11-21T12:00:00.000000", by: "a full disk" };
    await setServiceState(env.CATALOG, { ...set, value: "on" });
    const refused = await make("A book", "writer");
    const message = "The disk of the service is full, so nothing can be saved. Try again later.";
    expect([refused.status, await refused.json()]).toEqual([
      503,
      { error: "read_only", message, detail: message },
    ]);
    await setServiceState(env.CATALOG, { ...set, value: "off" });
    expect((await make("A book", "writer")).status).toBe(200);
  });
});

describe("POST /admin/permissions", () => {
  it("restricts folders, and opens them again", async () => {
    expect((await send("/admin/permissions", {})).status).toBe(400);
    expect((await send("/admin/permissions", { "perm.works": "everything" })).status).toBe(422);
    const set = await send("/admin/permissions", {
      "perm.works": "restricted",
      "perm.root": "loggedinusers",
    });
    expect([set.status, await set.json()]).toEqual([200, { ok: "true" }]);
    expect(await person("boss").json("/admin/permissions.json")).toEqual({
      permissions: {
        "/": "/permission/loggedinusers",
        "/works": "/permission/restricted",
        "/books": null,
        "/authors": null,
      },
    });
    expect((await make("A book", "writer")).status).toBe(400);
    expect((await make("A book", "boss")).status).toBe(200);
    expect((await send("/admin/permissions", { "perm.works": "open" })).status).toBe(200);
    expect((await make("A book", "writer")).status).toBe(200);
    expect(await stored("/works")).toMatchObject({
      permission: { key: "/permission/restricted" },
      revision: 2,
    });
  });
});

describe("admin tools", () => {
  it("rebuild search documents", async () => {
    const keys = `${workKey(1)}\n${editionKey(1)}, /authors/OL1A`;
    expect(await (await send("/admin/solr", { keys })).json()).toEqual({ ok: "true" });
    const { results } = await env.SEARCH.prepare("SELECT key FROM index_job WHERE kind = 'document'").all<{
      key: string;
    }>();
    expect(results.map(({ key }) => key)).toEqual(expect.arrayContaining([workKey(1), "/authors/OL1A"]));
    expect((await send("/admin/solr", { keys: "/languages/eng" })).status).toBe(400);
    expect((await send("/admin/solr", { keys: " " })).status).toBe(400);
  });

  it("follow redirects", async () => {
    const to = (id: number, target: number) => ({
      key: workKey(id),
      type: "/type/redirect",
      location: workKey(target),
    });
    await service.load(to(21, 22), to(22, 1), to(23, 23));
    const chain = async (id: number) => {
      const answer = await person("boss").json(`/admin/resolve_redirects?key=${workKey(id)}&test=true`);
      const { redirect_chain: found, ...more } = answer as { redirect_chain: { key: string }[] };
      return { ...more, chain: found.map(({ key }) => key) };
    };
    expect(await chain(21)).toEqual({
      key: workKey(21),
      resolved_key: workKey(1),
      modified: false,
      chain: [workKey(21), workKey(22), workKey(1)],
    });
    expect(await chain(23)).toMatchObject({ chain: [workKey(23)] });
    expect((await person("boss").fetch("/admin/resolve_redirects?key=/works/OL999W")).status).toBe(404);
  });

  it.each([
    "/admin",
    "/admin/people",
    "/admin/people?email=w",
    "/admin/people/writer",
    "/admin/people/writer/edits",
    "/admin/ip",
    "/admin/ip?ip=x",
    "/admin/ip/203.0.113.66",
    "/admin/block",
    "/admin/spamwords",
    "/admin/permissions",
    "/admin/solr",
    "/admin/read-only",
  ])("show %s with one heading and a label for each field", async (path) => {
    const response = await person("boss").fetch(path, { headers: HTML });
    const text = await response.text();
    expect([response.status, response.headers.get("Content-Type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(text).not.toContain("scrypt");
    const fields = [...text.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)].map(([tag]) => tag);
    for (const tag of fields.filter(
      (field) => !field.includes('type="hidden"') && !field.includes("aria-label"),
    )) {
      const id = / id="([^"]+)"/.exec(tag)?.[1];
      expect(text, tag).toMatch(new RegExp(`<label\\b[^>]* for="${id}">`));
    }
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("redirect browsers after a change", async () => {
    const body = new URLSearchParams({ spamwords: "casino", domains: "" });
    const done = await person("boss").fetch("/admin/spamwords", { method: "POST", body, headers: HTML });
    expect([done.status, done.headers.get("Location")]).toEqual([303, "/admin/spamwords"]);
    const to = await person("boss").fetch("/admin/ip?ip=2001:db8::1", { headers: HTML });
    expect([to.status, to.headers.get("Location")]).toEqual([303, "/admin/ip/2001%3Adb8%3A%3A1"]);
    expect((await person("boss").fetch("/admin/ip/2001%3Adb8%3A%3A1", { headers: HTML })).status).toBe(200);
  });
});
