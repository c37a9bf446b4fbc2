import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createAccounts } from "../../../src/db/accounts/registrations.ts";
import { form, testStore } from "../../support/worker/record-store.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const call = (path: string): Promise<Response> =>
  exports.RecordStore.fetch(`http://store.test/openlibrary.org${path}`);
interface Log {
  data: {
    action: string;
    timestamp: string;
    data: { result: unknown; changeset: Record<string, unknown> };
  }[];
  offset: string;
}
const log = async (path: string): Promise<Log> => (await call(`/log/${path}`)).json();
const work = (number: number, revision: number) => ({
  key: `/works/OL${number}W`,
  type: "/type/work",
  revision,
  title: `Title ${revision}`,
});

const DAY = "2026-11-20";
const TIMES = ["00:00:00", "12:00:00", "23:59:59"];

beforeAll(async () => {
  for (const [index, time] of TIMES.entries()) {
    service.now = Date.parse(`${DAY}T${time}Z`);
    await service.load(work(1, index + 1), work(index + 2, 1));
  }
  service.now = Date.parse("2026-11-21T00:00:00Z");
  await service.load(work(9, 1));
});

describe("/log/<day>", () => {
  it("returns changes in order with the documents before and after", async () => {
    const { data, offset } = await log(`${DAY}:0`);
    expect(offset).toBe(`${DAY}:${TIMES.length}`);
    expect(data.map(({ timestamp }) => timestamp.slice(11, 19))).toEqual(TIMES);
    expect(data[1]?.data.result).toEqual([
      { key: "/works/OL1W", revision: 2 },
      { key: "/works/OL3W", revision: 1 },
    ]);
    expect(data[1]?.data.changeset).toMatchObject({
      docs: [{ title: "Title 2" }, { key: "/works/OL3W" }],
      old_docs: [{ title: "Title 1" }, null],
    });
  });

  it("resumes from the offset of the last answer", async () => {
    const seen: string[] = [];
    let at = `${DAY}:0`;
    for (let calls = 0; calls < 10; calls += 1) {
      const { data, offset } = await log(`${at}?limit=1`);
      if (data.length === 0) break;
      seen.push(...data.map(({ timestamp }) => timestamp.slice(11, 19)));
      at = offset;
    }
    expect(seen).toEqual(TIMES);
    expect(at).toBe(`${DAY}:${TIMES.length}`);
  });

  it("starts after a timestamp", async () => {
    const { data, offset } = await log(`${DAY}:0?timestamp=${DAY}T12:00:00`);
    expect(data.map(({ timestamp }) => timestamp.slice(11, 19))).toEqual(["23:59:59"]);
    expect(offset).toBe(`${DAY}:3`);
  });

  it("bounds the size of an answer", async () => {
    const before = service.now;
    service.now = Date.parse("2026-11-22T00:00:00Z");
    const notes = "x".repeat(900_000);
    // Each is a change of its own, as it is so large.
    await service.load(...[20, 21, 22, 23, 24, 25].map((number) => ({ ...work(number, 1), notes })));
    const first = await log("2026-11-22:0");
    expect([first.data.length, first.offset]).toEqual([4, "2026-11-22:4"]);
    expect((await log(first.offset)).data).toHaveLength(2);
    service.now = before;
  });

  it("streams an entry that is larger than a page, with all documents (Q727)", async () => {
    const before = service.now;
    service.now = Date.parse("2026-11-23T00:00:00Z");
    const numbers = [30, 31, 32, 33, 34, 35, 36];
    const members = { comment: 'Large "change"', docs: [] };
    for (const revision of [1, 2]) {
      await service.load(
        ...numbers.map((number) => ({ ...work(number, revision), notes: "é".repeat(300_000) })),
      );
    }
    await env.CATALOG.prepare("UPDATE change SET comment = ?1, data = ?2 WHERE created >= '2026-11-23'")
      .bind(members.comment, JSON.stringify(members))
      .run();
    // A load is cut into changes by bytes; here they are one.
    await env.CATALOG.batch(
      ["record", "revision"].map((table) =>
        env.CATALOG.prepare(
          `UPDATE ${table} SET change_id = (SELECT max(id) FROM change) WHERE change_id IN (SELECT id FROM change WHERE created >= '2026-11-23')`,
        ),
      ),
    );
    const { results } = await env.CATALOG.prepare(
      "SELECT id FROM change WHERE created >= '2026-11-23'",
    ).all();
    let found: Log["data"] = [];
    for (let at = "2026-11-23:0", parts = 0; parts <= results.length; parts += 1) {
      const { data, offset } = await log(`${at}?limit=20`);
      found = [...found, ...data];
      at = offset;
    }
    const { result, changeset } = found.at(-1)?.data ?? { result: [], changeset: {} };
    expect(found).toHaveLength(results.length);
    expect(result).toHaveLength(2 * numbers.length);
    expect(changeset).toMatchObject({ ...members, docs: expect.any(Array), data: members });
    service.now = before;
  });

  it.each(["2026-13-01:0", `${DAY}:0?limit=x`, `${DAY}:0?timestamp=yesterday`])(
    "answers 400 for %s",
    async (path) => {
      expect((await call(`/log/${path}`)).status).toBe(400);
    },
  );
});

describe("/account/find", () => {
  beforeAll(async () => {
    const created = "2026-11-20T00:00:00.000000";
    await createAccounts(env.PATRONS, [
      { username: "Jane", email: "Jane@example.com", passwordHash: "secret", created },
    ]);
  });

  const jane = {
    _key: "account/Jane",
    _rev: expect.any(String),
    type: "account",
    username: "Jane",
    lusername: "jane",
    email: "Jane@example.com",
    status: "active",
    bot: false,
    tags: [],
    created_on: "2026-11-20T00:00:00.000000",
    last_login: null,
    data: { displayname: "Jane" },
    internetarchive_itemname: null,
  };

  it.each(["username=jane", "username=JANE", "email=jane@EXAMPLE.com"])(
    "finds an account by %s without the password",
    async (by) => {
      expect(await (await call(`/account/find?${by}`)).json()).toEqual(jane);
    },
  );

  it("returns null for an unknown account", async () => {
    expect(await (await call("/account/find?username=nobody")).json()).toBeNull();
    expect(await (await call("/account/find_user_by_email?email=no@example.com")).json()).toBeNull();
  });

  it("returns the name for an email address", async () => {
    expect(await (await call("/account/find_user_by_email?email=jane@example.com")).json()).toBe("Jane");
  });
});

describe("/account/<operation>", () => {
  const { call: store, answer } = testStore(service);
  const denied = { status: 403, body: { error: "permission_denied" } };
  const PASSWORD = "correct horse";
  const registered = {
    username: "Nora",
    password: PASSWORD,
    email: "Nora@example.com",
    displayname: "Nora N",
    city: "Graz",
  };
  const token = (response: Response): string =>
    /^infobase_auth_token=([^;]*)/.exec(response.headers.get("Set-Cookie") ?? "")?.[1] ?? "";
  const login = (username: string, password: string, address = "203.0.113.20") =>
    store("/account/login", form({ username, password }, { "X-REMOTE-IP": address }));
  const failed = async (response: Response) => ({ status: response.status, body: await response.json() });
  const refusal = (code: string) => ({
    status: 400,
    body: { error: "bad_data", code, message: "Login failed" },
  });
  const withToken = async (): Promise<Record<string, string>> => {
    const response = await login("Nora", PASSWORD);
    await response.body?.cancel();
    return { Cookie: `infobase_auth_token=${token(response)}` };
  };
  const post = (op: string, fields: Record<string, unknown>, headers = {}) =>
    answer(`/account/${op}`, form(fields, headers));

  beforeAll(async () => {
    const group = { key: "/usergroup/everyone", type: "/type/usergroup" };
    await service.load(group, { key: "/people/Left", type: "/type/delete" });
  });

  it("trusts no missing, invalid or repeated address", async () => {
    const admin = (headers: Record<string, string>) =>
      answer("/account/login", form({ username: "admin", password: PASSWORD }, headers));
    for (const address of [
      "127.0.0.1, 203.0.113.1",
      "127.0.0.1 127.0.0.1",
      "localhost",
      "local",
      "",
      "::1::",
      "1:2",
    ]) {
      const { status, body } = await admin({ "X-REMOTE-IP": address });
      expect([address, status, Object(body).message]).toEqual([
        address,
        403,
        "Permission denied to login as admin from unknown",
      ]);
    }
    expect(await admin({})).toMatchObject({ status: 400 });
    for (const address of ["127.0.0.1", " ::1 "]) {
      expect(await admin({ "X-REMOTE-IP": address })).toMatchObject({ status: 400 });
    }
  });

  it("registers, activates and logs in", async () => {
    expect(await post("register", registered)).toEqual({
      status: 200,
      body: { activation_code: null, email: "Nora@example.com" },
    });
    expect((await store("/get?key=/people/Nora")).status).toBe(404);
    expect(await failed(await login("Nora", PASSWORD))).toEqual(refusal("account_not_verified"));
    expect(await post("activate", { username: "nora" })).toEqual({ status: 200, body: { ok: "true" } });
    expect(await post("activate", { username: "Nora" })).toEqual({ status: 200, body: { ok: "true" } });
    expect((await answer("/get?key=/people/Nora")).body).toMatchObject({
      displayname: "Nora N",
      revision: 1,
    });
    const query = JSON.stringify({ author: "/people/Nora" });
    const [change] = Object((await answer(`/_recentchanges?query=${query}`)).body);
    expect(change).toMatchObject({ kind: "new-account", comment: "Created new account." });
    expect(change.changes).toHaveLength(3);
    const response = await login("Nora", PASSWORD);
    expect(await response.json()).toEqual({ ok: true });
    expect(token(response)).toMatch(/^\/people\/Nora%2C/);
    expect(response.headers.get("Set-Cookie")).toContain("HttpOnly");
    // The main site takes the token as its session.
    const own = await service.fetch("/account/preferences.json", {
      headers: { Cookie: `session=${token(response)}` },
    });
    expect(own.status).toBe(200);
    await own.body?.cancel();
  });

  it.each([
    [{ username: "Nora", password: "x", email: "a@example.com" }, "User already exists: Nora"],
    [{ username: "jane", password: "x", email: "a@example.com" }, "User already exists: jane"],
    [
      { username: "Other", password: "x", email: "nora@EXAMPLE.com" },
      "Email is already used: nora@EXAMPLE.com",
    ],
    [{ username: "a b", password: "x", email: "a@example.com" }, "Bad username: 'a b'"],
    [{ username: "Other", password: "", email: "a@example.com" }, expect.stringContaining("Use 1 to")],
    [{ username: "Other", password: "x", email: "none" }, "Enter a valid email address."],
    [{ username: "Other", password: "x" }, "Missing argument: 'email'"],
    [
      { username: "Other", password: "x", email: "a@example.com", more: "x".repeat(10_000) },
      expect.stringContaining("profile"),
    ],
  ])("refuses registrations with 400 (%#)", async (fields, message) => {
    expect(await post("register", fields)).toEqual({ status: 400, body: { error: "bad_data", message } });
  });

  it("logs in with the right name and password only", async () => {
    expect(await failed(await login("Nora", "wrong"))).toEqual(refusal("account_bad_password"));
    expect(await failed(await login("Nobody", PASSWORD))).toEqual(refusal("account_not_found"));
    expect(await post("login", { username: "Nora" })).toMatchObject({ status: 400 });
    expect(await failed(await login("admin", "x", "203.0.113.1"))).toMatchObject(denied);
    expect(await failed(await login("admin", "x", "127.0.0.1"))).toEqual(refusal("account_not_found"));
  });

  it("get_user returns the record and address of the token's owner", async () => {
    const headers = await withToken();
    const expected = { key: "/people/Nora", type: { key: "/type/user" }, email: "Nora@example.com" };
    expect((await answer("/account/get_user", { headers })).body).toMatchObject(expected);
    const value = headers["Cookie"]?.slice("infobase_auth_token=".length) ?? "";
    expect((await answer(`/account/get_user?token=${value}`)).body).toMatchObject(expected);
    expect(await answer("/account/get_user")).toEqual({ status: 200, body: null });
    expect((await answer("/account/get_user?token=x")).body).toBeNull();
  });

  it("update_user changes the owner's password and address", async () => {
    const headers = await withToken();
    const other = await withToken();
    const wrong = {
      status: 400,
      body: { error: "bad_data", code: "account_bad_password", message: "Invalid password" },
    };
    expect(await post("update_user", { old_password: "wrong", email: "x@example.com" }, headers)).toEqual(
      wrong,
    );
    expect(await post("update_user", { old_password: PASSWORD })).toMatchObject(denied);
    expect(await post("update_user", {}, headers)).toMatchObject({ status: 400 });
    expect(
      await post("update_user", { old_password: PASSWORD, new_password: "short" }, headers),
    ).toMatchObject({ status: 400 });
    expect(
      await post("update_user", { old_password: PASSWORD, email: "jane@example.com" }, headers),
    ).toMatchObject({ status: 400 });
    const fields = { old_password: PASSWORD, new_password: "another horse", email: "nora2@example.com" };
    expect(await post("update_user", fields, headers)).toEqual({ status: 200, body: null });
    expect((await answer("/account/get_user", { headers })).body).toMatchObject({
      email: "nora2@example.com",
    });
    expect((await answer("/account/get_user", { headers: other })).body).toBeNull();
    expect(await failed(await login("Nora", PASSWORD))).toEqual(refusal("account_bad_password"));
    expect((await answer("/account/find_user_by_email?email=nora2@example.com")).body).toBe("Nora");
  });

  it("update changes any member that services set", async () => {
    const fields = {
      username: "Nora",
      password: "p4",
      email: "nora3@example.com",
      bot: "True",
      tags: ["trusted-user"],
      data: { city: "Wien" },
    };
    expect(await post("update", fields)).toEqual({ status: 200, body: { ok: "true" } });
    expect((await answer("/account/find?email=nora3@example.com")).body).toMatchObject({
      bot: true,
      tags: ["trusted-user"],
      data: { displayname: "Nora N", city: "Wien" },
    });
    const response = await login("Nora", "p4");
    expect(response.status).toBe(200);
    const headers = { Cookie: `infobase_auth_token=${token(response)}` };
    expect(await post("update_user_details", { username: "Nora", status: "blocked" })).toEqual({
      status: 200,
      body: "ok",
    });
    expect((await answer("/account/get_user", { headers })).body).toBeNull();
    expect(await failed(await login("Nora", "p4"))).toEqual(refusal("account_blocked"));
    expect(await post("activate", { username: "Nora" })).toMatchObject({ status: 400 });
    expect(await post("update", { username: "Nora", status: "active" })).toMatchObject({ status: 200 });
    expect((await login("Nora", "p4")).status).toBe(200);
  });

  it.each([
    ["activate", {}, 400, { error: "bad_data", message: "Missing argument: 'username'" }],
    ["activate", { username: "nobody" }, 400, { error: "bad_data", error_code: "account_not_found" }],
    ["update", { email: "x@example.com" }, 400, { error: "bad_data" }],
    ["update", { username: "nobody", email: "x" }, 400, { error_code: "account_not_found" }],
    ["update", { username: "Nora", email: "jane@example.com" }, 400, { error: "bad_data" }],
    ["update", { username: "Nora", password: "" }, 400, { error: "bad_data" }],
    ["update", { username: "Nora", status: "pending" }, 400, { error: "bad_data" }],
    ["update", { username: "Nora", tags: "{" }, 400, { error: "bad_data" }],
    ["update_user_details", { username: "nobody" }, 404, { error: "user_notfound", username: "nobody" }],
    ["reset_password", { username: "Nora", code: "x", password: "y" }, 404, { error: "notfound" }],
    ["anything", {}, 404, { error: "notfound" }],
  ])("POST %s %j: %i", async (op, fields, status, body) => {
    expect(await post(op, fields)).toMatchObject({ status, body });
  });

  it.each([
    "get_user_email?username=Nora",
    "get_reset_code?email=x",
    "check_reset_code?username=Nora&code=x",
    "x",
  ])("GET %s answers 404", async (op) => expect((await answer(`/account/${op}`)).status).toBe(404));
});
