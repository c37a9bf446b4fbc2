import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { formOf } from "../../support/worker/accounts.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { redirected } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { HTML, fieldsOf, leads, looking, post } from "../../support/worker/writing.ts";

const service = testService();
service.now = Date.parse("2100-01-01T12:00:00Z");
const { read } = looking(service);
const DETAILS = {
  name: "Town <library>",
  addresses: "Main|1 St|Ulm||89073|Germany|||48.4,9.99",
  ip_ranges: "192.0.2.0/24",
  website: "https://town.example",
  lending_region: "Ulm",
  contact_email: "librarian@town.example",
};

let admin: LoggedIn;
let patron: LoggedIn;
beforeAll(async () => {
  admin = await loggedIn(service, "boss", { groups: ["admin"] });
  patron = await loggedIn(service, "reader");
});

const register = async (more: Partial<typeof DETAILS> = {}): Promise<string> => {
  const response = await service.fetch("/libraries/register", formOf({ ...DETAILS, ...more }));
  expect(response.status).toBe(201);
  return (await response.json<{ key: string }>()).key;
};
/** Leaves an approval as a crash between the mark on the registration and the new record does. */
async function leaveHalfWay(key: string, library: string): Promise<void> {
  const { document } = Object(
    await env.PATRONS.prepare("SELECT document FROM store_document WHERE key = ?").bind(key.slice(1)).first(),
  );
  const half = { ...JSON.parse(String(document)), current_status: "approved", library };
  await env.PATRONS.prepare("UPDATE store_document SET document = ? WHERE key = ?")
    .bind(JSON.stringify(half), key.slice(1))
    .run();
}
const pageOf = async (key: string) => (await admin.fetch(key, { headers: HTML })).text();
const statusOf = async (key: string) => Object(await admin.json(`${key}.json`))["current_status"];

describe("POST /libraries/register", () => {
  it("numbers concurrent registrations", async () => {
    const keys = await Promise.all([register(), register(), register()]);
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^\/libraries\/pending-\d+$/);
    expect(await admin.json(`${keys[0]}.json`)).toEqual({
      key: keys[0],
      ...DETAILS,
      registered_on: "2100-01-01T12:00:00.000000",
      current_status: "pending",
    });
  });

  it("reports all failures in one response without echoing them", async () => {
    const response = await service.fetch(
      "/libraries/register",
      formOf({ ip_ranges: "here", addresses: "x", contact_email: "secret" }),
    );
    expect(response.status).toBe(422);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({
      detail: [
        { type: "missing", loc: ["body", "name"] },
        { type: "value_error", loc: ["body", "addresses"] },
        { loc: ["body", "ip_ranges"] },
        { loc: ["body", "contact_email"] },
      ],
    });
    expect(text).not.toContain("secret");
  });

  it("shows the form, the form with errors, and the confirmation", async () => {
    const form = await (await service.fetch("/libraries/register", { headers: HTML })).text();
    expect(Object.keys(fieldsOf(form))).toEqual(expect.arrayContaining(Object.keys(DETAILS)));
    const refused = await service.fetch(
      "/libraries/register",
      formOf({ ...DETAILS, addresses: 'a"><b>' }, HTML),
    );
    expect(refused.status).toBe(422);
    const html = await refused.text();
    expect(html).toContain('aria-describedby="addresses-hint addresses-error"');
    expect(fieldsOf(html)).toMatchObject({ ...DETAILS, addresses: 'a"><b>' });
    const done = await service.fetch("/libraries/register", formOf(DETAILS, HTML));
    expect([done.status, await done.text()]).toEqual([201, expect.stringContaining("Town &lt;library&gt;")]);
  });

  it("allows ten registrations an hour for one address", async () => {
    const headers = { "CF-Connecting-IP": "203.0.113.7" };
    const attempts = Array.from({ length: 12 }, () =>
      service.fetch("/libraries/register", formOf(DETAILS, headers)),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429]);
  });
});

describe("library registrations", () => {
  it("answer 404 to everyone but administrators", async () => {
    const key = await register();
    for (const path of ["/libraries/dashboard", "/libraries/dashboard.json", key, `${key}.json`]) {
      expect((await service.fetch(path)).status).toBe(404);
      expect((await patron.fetch(path)).status).toBe(404);
      const response = await admin.fetch(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("Cache-Control")).toContain("no-store");
    }
    expect((await service.fetch("/libraries/pending-999999.json")).status).toBe(404);
    for (const none of ["/libraries/pending-999999", "/libraries/pending-x"]) {
      expect((await admin.fetch(none)).status).toBe(404);
    }
    expect((await post(service, key, { key: "/libraries/x" })).status).toBe(401);
    expect((await post(patron, key, { key: "/libraries/x" })).status).toBe(403);
  });

  it("are listed in pages, the newest first", async () => {
    const keys = [await register(), await register(), await register()];
    type Answer = { registrations: { key: string }[]; next?: string };
    const seen: string[] = [];
    let path: string | undefined = "/libraries/dashboard.json?limit=2";
    while (path !== undefined) {
      const answer = (await admin.json(path)) as Answer;
      seen.push(...answer.registrations.map(({ key }) => key));
      path = answer.next;
    }
    expect(seen.slice(0, 3)).toEqual(keys.toReversed());
    expect(new Set(seen).size).toBe(seen.length);
    const html = await (await admin.fetch("/libraries/dashboard", { headers: HTML })).text();
    expect(html).toContain(`href="${keys[0]}"`);
    expect(html).toContain("Town &lt;library&gt;");
  });

  it("become records without the contact address", async () => {
    const key = await register();
    const page = await (await admin.fetch(key, { headers: HTML })).text();
    expect(fieldsOf(page)["key"]).toBe("/libraries/town_library");
    expect(await leads(post(admin, key, { key: "/libraries/town" }))).toBe("303 /libraries/town");
    const record = await read("/libraries/town");
    expect(record).toMatchObject({
      type: { key: "/type/library" },
      name: DETAILS.name,
      status: "approved",
      website: DETAILS.website,
      lending_region: "Ulm",
      addresses: { type: "/type/text", value: DETAILS.addresses },
      ip_ranges: { type: "/type/text", value: DETAILS.ip_ranges },
      registered_on: { type: "/type/datetime", value: "2100-01-01T12:00:00.000000" },
      revision: 1,
    });
    expect(JSON.stringify(record)).not.toContain("librarian@");
    expect(await statusOf(key)).toBe("approved");
    const listed = (await service.json("/libraries.json")) as { key: string }[];
    expect(listed.map((one) => one.key)).toContain("/libraries/town");
    const waiting = Object(await admin.json("/libraries/dashboard.json?limit=100"))["registrations"];
    expect(JSON.stringify(waiting)).not.toContain(`"${key}"`);
    // A retry, as after a lost response.
    expect(await leads(post(admin, key, { key: "/libraries/town" }))).toBe("303 /libraries/town");
    expect(await read("/libraries/town")).toMatchObject({ revision: 1 });
    expect((await post(admin, key, { key: "/libraries/other" })).status).toBe(409);
    expect((await post(admin, key, { _delete: "true" })).status).toBe(409);
  });

  it("are completed after an interrupted approval", async () => {
    const key = await register();
    await leaveHalfWay(key, "/libraries/half");
    expect((await service.fetch("/libraries/half.json")).status).toBe(404);
    expect(await leads(post(admin, key, { key: "/libraries/half" }))).toBe("303 /libraries/half");
    expect(await read("/libraries/half")).toMatchObject({ status: "approved" });
  });

  it("can be declined after an interruption only when the key was taken since", async () => {
    const key = await register();
    await leaveHalfWay(key, "/libraries/lost");
    expect((await post(admin, key, { _delete: "true" })).status).toBe(409);
    expect(await pageOf(key)).not.toContain("Delete registration");
    await service.load({ key: "/libraries/lost", type: "/type/library", name: "Another" });
    expect((await post(admin, key, { key: "/libraries/lost" })).status).toBe(422);
    expect(await pageOf(key)).toContain("Delete registration");
    expect(await leads(post(admin, key, { _delete: "true" }))).toBe("303 /libraries/dashboard");
    expect(await admin.json(`${key}.json`)).toMatchObject({ current_status: "deleted", contact_email: "" });
    expect(await read("/libraries/lost")).toMatchObject({ name: "Another", revision: 1 });
  });

  it("stay approved after an edit or a merge of the library", async () => {
    const key = await register();
    expect(await leads(post(admin, key, { key: "/libraries/renamed" }))).toBe("303 /libraries/renamed");
    const record = Object(await read("/libraries/renamed"));
    await service.load({ ...record, type: "/type/library", name: "New name", revision: 2 });
    expect(await read("/libraries/renamed")).toMatchObject({ name: "New name" });
    expect((await post(admin, key, { _delete: "true" })).status).toBe(409);
    // A merge into another library does not change it either.
    await service.load(redirected("/libraries/renamed", "/libraries/first", 3));
    expect((await post(admin, key, { _delete: "true" })).status).toBe(409);
    expect(await statusOf(key)).toBe("approved");
  });

  it("take no key that is taken or invalid", async () => {
    const key = await register({ name: "Second" });
    await service.load({ key: "/libraries/taken", type: "/type/library", name: "Another" });
    for (const wanted of ["/libraries/taken", "/libraries/dashboard", "/works/OL1W", "/libraries/a b", ""]) {
      const response = await post(admin, key, { key: wanted });
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ detail: [{ loc: ["body", "key"] }] });
    }
    expect(await statusOf(key)).toBe("pending");
    expect(await read("/libraries/taken")).toMatchObject({ name: "Another", revision: 1 });
  });

  it("are decided once by concurrent administrators", async () => {
    const key = await register();
    const names = ["one", "two", "three", "four"].map((name) => `/libraries/${name}`);
    const answers = await Promise.all(names.map((name) => post(admin, key, { key: name })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409, 409, 409]);
    const made = await Promise.all(names.map(async (name) => (await service.fetch(`${name}.json`)).status));
    expect(made.toSorted()).toEqual([200, 404, 404, 404]);
  });

  it("are erased when declined", async () => {
    const key = await register();
    expect(await leads(post(admin, key, { _delete: "Delete" }))).toBe("303 /libraries/dashboard");
    expect(await admin.json(`${key}.json`)).toMatchObject({ current_status: "deleted", contact_email: "" });
    expect((await post(admin, key, { _delete: "Delete" })).status).toBe(303);
    expect((await post(admin, key, { key: "/libraries/late" })).status).toBe(404);
  });
});
