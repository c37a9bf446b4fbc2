import { beforeAll, describe, expect, it } from "vitest";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { author, deleted, edition, language, redirected, work } from "../../support/worker/records.ts";
import { type TestRecord, documentOf, testService } from "../../support/worker/service.ts";

const service = testService();

const other = (key: string, type: string, members = {}): TestRecord => ({ key, type, ...members });
const EVERY_TYPE: TestRecord[] = [
  edition(1, { work: 1, title: "Rivers of Ink", isbn_10: ["0451526538"] }),
  work(1, { authors: [1], description: { type: "/type/text", value: "Two rivers." } }),
  author(1, { bio: "Bare text of the early years", photos: [-1, 7] }),
  language("eng", "English", { identifiers: { iso_639_1: ["en"] } }),
  other("/people/jane", "/type/user", { displayname: "Jane" }),
  other("/people/jane/usergroup", "/type/usergroup", { members: [{ key: "/people/jane" }] }),
  other("/people/jane/permission", "/type/permission", { readers: [{ key: "/usergroup/everyone" }] }),
  other("/usergroup/admin", "/type/usergroup"),
  other("/permission/open", "/type/permission"),
  other("/type/work", "/type/type", { kind: "regular" }),
  other("/libraries/leiden", "/type/library", { name: "Leiden" }),
  other("/local_ids/partner", "/type/local_id", { urn_prefix: "p" }),
  other("/css/site", "/type/rawtext", { body: "a { color: red }" }),
  other("/config/edition", "/type/object", { identifiers: [] }),
  other("/tags/OL1T", "/type/tag", { name: "Adventure" }),
  other("/publishers/OL1P", "/type/publisher", { name: "Acme" }),
  other("/help/faq", "/type/page", { title: "Questions", body: "Ümläute and 日本" }),
];

beforeAll(async () => {
  await service.load(...EVERY_TYPE);
  await service.load(
    work(2, { revision: 1, title: "First" }),
    work(2, { revision: 2, title: "Second", modified: "2026-11-02T10:00:00.000000" }),
    work(2, { revision: 3, title: "Third", modified: "2026-11-03T10:00:00.000000" }),
    work(3, { title: "Moved" }),
    redirected("/works/OL3W", "/works/OL2W"),
    edition(4, { title: "Gone" }),
    deleted("/books/OL4M", 2),
  );
});

describe("GET <key>.json", () => {
  it.each(EVERY_TYPE.map((record) => [record.type, record] as const))("reads %s", async (_type, record) => {
    const response = await service.fetch(`${record.key}.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(await response.json()).toEqual(documentOf(record));
  });

  it("returns a redirect unresolved", async () => {
    const record = await service.json("/works/OL3W.json");
    expect(record).toEqual(documentOf(redirected("/works/OL3W", "/works/OL2W")));
  });

  it("returns the stub of a deleted record", async () => {
    expect(await service.json("/books/OL4M.json")).toEqual(documentOf(deleted("/books/OL4M", 2)));
  });

  it.each(["/books/OL9M", "/nothing/here", "/people/nobody", "/books/OL4", "/languages/xyz"])(
    "answers 404 for %s",
    async (key) => {
      const response = await service.fetch(`${key}.json`);
      expect(response.status).toBe(404);
      expect(response.headers.get("Content-Type")).toBe("application/json");
      expect(await response.json()).toEqual({ error: "notfound", key });
    },
  );

  it.each([
    ["/people/JANE.json?x=1", "/people/jane.json?x=1"],
    ["/people/Jane", "/people/jane"],
    ["/people/JANE/usergroup.json", "/people/jane/usergroup.json"],
  ])("redirects from %s to %s", async (path, target) => {
    const response = await service.fetch(path);
    expect([response.status, response.headers.get("Location")]).toEqual([301, target]);
    expect((await service.fetch("/people/jane.json?v=9")).status).toBe(404);
  });

  it.each(["/people/jane/preferences", "/people/jane/preferences.json", "/people/jane/preferences.yml"])(
    "requires the owner's session for %s",
    async (path) => {
      const response = await service.fetch(path);
      expect(response.status).toBe(401);
      expect(response.headers.get("WWW-Authenticate")).toBe("Session");
    },
  );

  it("has no OPDS", async () => {
    expect((await service.fetch("/works/OL1W.opds")).status).toBe(404);
  });

  it("answers HEAD like GET without a body", async () => {
    const [head, get] = [
      await service.fetch("/works/OL2W.json", { method: "HEAD" }),
      await service.fetch("/works/OL2W.json"),
    ];
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
    for (const name of ["Content-Type", "ETag", "Last-Modified", "Cache-Control"]) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    expect(await (await service.fetch("/works/OL2W.json", { method: "HEAD" })).text()).toBe("");
    expect((await service.fetch("/works/OL99W.json", { method: "HEAD" })).status).toBe(404);
  });
});

describe("?v=", () => {
  it.each([
    ["1", "First"],
    ["2", "Second"],
    ["3", "Third"],
    ["007", undefined],
    ["", "Third"],
    ["0", "Third"],
    ["x", "Third"],
    ["1.5", "Third"],
    ["NaN", "Third"],
    ["1%00", "Third"],
    ["4", undefined],
    ["-1", undefined],
    ["2147483648", undefined],
    ["18446744073709551617", undefined],
  ])("=%.40s", async (revision, title) => {
    const response = await service.fetch(`/works/OL2W.json?v=${revision}`);
    if (title === undefined) {
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: "notfound", key: "/works/OL2W" });
    } else {
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ title });
    }
  });

  it("uses the last of several values", async () => {
    expect(await service.json("/works/OL2W.json?v=1&v=2")).toMatchObject({ title: "Second" });
  });

  it("returns a revision as saved", async () => {
    const record = documentOf(
      work(2, { revision: 2, title: "Second", modified: "2026-11-02T10:00:00.000000" }),
    );
    expect(record).toMatchObject({ revision: 2, latest_revision: 2 });
    expect(await service.json("/works/OL2W.json?v=2")).toEqual(record);
  });

  it("reads revisions before a deletion or redirect", async () => {
    expect(await service.json("/books/OL4M.json?v=1")).toEqual(documentOf(edition(4, { title: "Gone" })));
    expect(await service.json("/works/OL3W.json?v=1")).toEqual(documentOf(work(3, { title: "Moved" })));
  });

  it("works for YAML, and is ignored for RDF", async () => {
    expect(await (await service.fetch("/works/OL2W.yml?v=1")).text()).toContain("title: First");
    expect(await (await service.fetch("/works/OL2W.rdf?v=1")).text()).toContain("Third");
  });
});

describe("?text=true", () => {
  it.each(["/works/OL1W.json", "/works/OL1W.yml"])("sends %s as plain text", async (path) => {
    const [plain, usual] = [await service.fetch(`${path}?text=true`), await service.fetch(path)];
    expect(plain.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(await plain.text()).toBe(await usual.text());
  });

  it.each(["false", "", "TRUE", "1"])("ignores the value %s", async (value) => {
    const response = await service.fetch(`/works/OL1W.json?text=${value}`);
    expect(response.headers.get("Content-Type")).toBe("application/json");
  });
});

describe("?callback=", () => {
  it.each(["show", "a.b", "$", "_x1.$y", "jQuery_123"])("wraps the record for %s", async (name) => {
    const response = await service.fetch(`/works/OL2W.json?callback=${name}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/javascript");
    const text = await response.text();
    expect(text.startsWith(`${name}(`)).toBe(true);
    expect(text.endsWith(");")).toBe(true);
    expect(JSON.parse(text.slice(name.length + 1, -2))).toEqual(await service.json("/works/OL2W.json"));
  });

  // Q515
  it("returns JSON to clients with a session, uncached", async () => {
    const jane = await loggedIn(service, "jane");
    for (const path of ["/works/OL2W.json?callback=show", "/works/OL2W.json?%63allback=show"]) {
      for (const who of [service, jane, service, jane]) {
        const response = await who.fetch(path);
        const text = await response.text();
        expect(text.startsWith("show(")).toBe(who === service);
        // Other clients get 404 at this address.
        expect(response.headers.get("Cache-Control")?.includes("no-store")).toBe(who === jane);
        if (who === jane) expect(JSON.parse(text)).toEqual(await service.json("/works/OL2W.json"));
      }
    }
  });

  it.each(["a(b", "1a", "alert(1)//", "<script>", "a\n", "x".repeat(201)])(
    "refuses the name %s",
    async (name) => {
      const response = await service.fetch(`/works/OL2W.json?callback=${encodeURIComponent(name)}`);
      expect(response.status).toBe(422);
      const answer = await response.json<{ detail: { loc: string[]; type: string }[] }>();
      expect(answer.detail).toHaveLength(1);
      expect(answer.detail[0]!.loc).toEqual(["query", "callback"]);
      expect(answer.detail[0]!.type).toMatch(/^string_(pattern_mismatch|too_long)$/);
    },
  );
});
