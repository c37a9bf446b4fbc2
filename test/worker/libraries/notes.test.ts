import { beforeAll, describe, expect, it } from "vitest";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";
import { HTML, leads, looking, post } from "../../support/worker/writing.ts";

const service = testService();
const { read, lastChange } = looking(service);
const KEY = "/libraries/noted";

let patron: LoggedIn;
let other: LoggedIn;
beforeAll(async () => {
  await service.load(
    {
      key: KEY,
      type: "/type/library",
      name: "Noted <library>",
      notes: [{ note: "Old", timestamp: "2010" }, "x"],
    },
    { key: "/libraries/page", type: "/type/page", title: "None" },
    {
      key: "/libraries/full",
      type: "/type/library",
      notes: Array.from({ length: 500 }, (_, index) => ({ note: String(index) })),
    },
  );
  patron = await loggedIn(service, "noter");
  other = await loggedIn(service, "annotator");
});

describe("POST /libraries/<name>/notes", () => {
  it("appends a note by the patron", async () => {
    expect(await leads(post(patron, `${KEY}/notes`, { note: " Closed on <Mondays> " }))).toBe(`303 ${KEY}`);
    const { notes } = await read(KEY);
    expect(notes).toEqual([
      { note: "Old", timestamp: "2010" },
      "x",
      {
        note: "Closed on <Mondays>",
        author: { key: patron.key },
        timestamp: { type: "/type/datetime", value: "2026-11-21T12:00:00.000000" },
      },
    ]);
    expect(await lastChange()).toMatchObject({ author: { key: patron.key }, comment: "Added a note" });
  });

  it("keeps all concurrent notes", async () => {
    const before = (await read(KEY))["notes"] as unknown[];
    const texts = Array.from({ length: 6 }, (_, index) => `Note ${index}`);
    const answers = await Promise.all(
      texts.map((note, index) => post(index % 2 === 0 ? patron : other, `${KEY}/notes`, { note })),
    );
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 303));
    const after = (await read(KEY))["notes"] as { note?: string }[];
    expect(
      after
        .slice(before.length)
        .map(({ note }) => note)
        .toSorted(),
    ).toEqual(texts);
  });

  it("requires a session, a note and the same origin", async () => {
    expect((await post(service, `${KEY}/notes`, { note: "x" })).status).toBe(401);
    const person = await post(service, `${KEY}/notes`, { note: "x" }, HTML);
    expect([person.status, person.headers.get("Location")]).toEqual([
      303,
      `/account/login?redirect=${encodeURIComponent(`${KEY}/notes`)}`,
    ]);
    for (const note of ["", "  ", "x".repeat(2001)]) {
      expect((await post(patron, `${KEY}/notes`, { note })).status).toBe(422);
    }
    const foreign = { Origin: "https://evil.test", "Sec-Fetch-Site": "cross-site" };
    expect((await post(patron, `${KEY}/notes`, { note: "x" }, foreign)).status).toBe(403);
  });

  it("refuses spam and read-only accounts", async () => {
    const admin = await loggedIn(service, "notesboss", { groups: ["admin"] });
    await post(admin, "/admin/spamwords", { spamwords: "casinowin" });
    const later = testService();
    later.now = service.now + 60_000;
    const spam = await later.fetch(`${KEY}/notes`, {
      method: "POST",
      headers: patron.headers,
      body: new URLSearchParams({ note: "the best casinowin" }),
    });
    expect(spam.status).toBe(403);
    const bound = await loggedIn(service, "bound", { groups: ["read-only"] });
    expect((await post(bound, `${KEY}/notes`, { note: "x" })).status).toBe(403);
  });

  it("answers 404 for other records and 409 at the limit", async () => {
    for (const name of ["none", "page"]) {
      expect((await post(patron, `/libraries/${name}/notes`, { note: "x" })).status).toBe(404);
    }
    expect((await post(patron, "/libraries/full/notes", { note: "x" })).status).toBe(409);
  });
});

describe("GET /libraries/<name>/notes", () => {
  it.each([`${KEY}/notes`, `${KEY}/notes.json`])("%s returns the notes as JSON", async (path) => {
    const { key, notes } = Object(await service.json(path));
    expect(key).toBe(KEY);
    expect(notes.slice(0, 2)).toEqual([
      { note: "Old", timestamp: "2010" },
      { note: "Closed on <Mondays>", author: { key: patron.key }, timestamp: "2026-11-21T12:00:00.000000" },
    ]);
  });

  it("shows notes and form as HTML", async () => {
    const html = await (await service.fetch(`${KEY}/notes`, { headers: HTML })).text();
    expect(html).toContain("Noted &lt;library&gt;");
    expect(html).toContain("<pre>Closed on &lt;Mondays&gt;</pre>");
    expect(html).toContain(`<a href="${patron.key}">noter</a>`);
    expect(html).toContain(`action="${KEY}/notes"`);
    expect(html.split("</head>")[1]).not.toContain(ORIGIN);
  });
});
