import { beforeAll, describe, expect, it } from "vitest";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { author, authorKey, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
let librarian: LoggedIn;
let chief: LoggedIn;
let reader: LoggedIn;
let next = 1000;
const numbers = (): [number, number, number] => [(next += 10), next + 1, next + 2];

beforeAll(async () => {
  librarian = await loggedIn(service, "libby", { groups: ["librarians"] });
  chief = await loggedIn(service, "chief", { groups: ["super-librarians"] });
  reader = await loggedIn(service, "reader");
});

const post = (
  path: string,
  body: Record<string, unknown>,
  who: Pick<LoggedIn, "fetch"> = librarian,
): Promise<Response> =>
  who.fetch(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  });
const read = (key: string): Promise<unknown> => service.json(`${key}.json`);

describe("POST /merges", () => {
  const send = async (body: Record<string, unknown>, who = librarian): Promise<unknown> =>
    (await post("/merges", body, who)).json();
  const create = { rtype: "create-request", action: "create-pending", mr_type: 2 };
  const entry = async (id: number): Promise<Record<string, unknown>> => {
    const { entries } = (await service.json("/merges.json?mode=all&limit=100")) as {
      entries: Record<string, unknown>[];
    };
    return entries.find((one) => one["id"] === id)!;
  };

  it("creates a request once, comments, claims, releases and closes it", async () => {
    const [a, b] = numbers();
    await service.load(author(a, { name: "Ann" }), author(b));
    const olids = `OL${b}A, ol${a}a`;
    const { id } = (await send({ ...create, olids, primary: `OL${a}A`, comment: "same" })) as { id: number };
    const again = await send({ ...create, olids: `OL${a}A,OL${b}A`, primary: `OL${a}A` }, chief);
    expect(again).toEqual({ status: "error", error: "A merge request for these items already exists." });
    expect(await entry(id)).toEqual({
      id,
      title: "Ann",
      submitter: "libby",
      reviewer: null,
      url: `/authors/merge?records=OL${a}A,OL${b}A&primary=OL${a}A`,
      mr_type: 2,
      status: 1,
      comments: {
        comments: [{ timestamp: "2026-11-21T12:00:00.000000", username: "libby", message: "same" }],
      },
      created: "2026-11-21T12:00:00.000000",
      updated: "2026-11-21T12:00:00.000000",
    });
    const update = (action: string, more: Record<string, unknown> = {}): Promise<unknown> =>
      send({ rtype: "update-request", action, mrid: id, ...more }, chief);
    expect(await update("claim")).toEqual({ status: "ok", reviewer: "chief", newStatus: 1 });
    expect(await update("claim")).toMatchObject({ status: "error" });
    expect(await update("unassign")).toEqual({ status: "ok" });
    expect(await entry(id)).toMatchObject({ reviewer: null, status: 1 });
    expect(await update("comment", { comment: "hm" })).toEqual({ status: "ok" });
    expect(await update("decline", { comment: "no" })).toEqual({ status: "ok" });
    expect(await update("approve")).toMatchObject({
      status: "error",
      error: "This request has already been closed.",
    });
    expect(await entry(id)).toMatchObject({
      status: 0,
      reviewer: "chief",
      comments: { comments: [{ message: "same" }, { message: "hm" }, { username: "chief", message: "no" }] },
    });
    expect(await send({ ...create, olids, primary: `OL${a}A` })).toMatchObject({ status: "ok" });
  });

  it.each<[Record<string, unknown>, number]>([
    [{}, 422],
    [{ ...create, rtype: "x" }, 422],
    [{ ...create, action: "approve" }, 400],
    [{ ...create, olids: "" }, 400],
    [{ ...create, olids: "OL1W" }, 400],
    [{ ...create, mr_type: 3, olids: "OL1A" }, 422],
    [{ rtype: "update-request", action: "comment" }, 400],
    [{ rtype: "update-request", action: "comment", mrid: 1 }, 400],
    [{ rtype: "update-request", action: "create-pending", mrid: 1 }, 400],
    [{ rtype: "update-request", action: "approve", mrid: 99_999 }, 200],
  ])("answers %j with %i", async (body, status) => {
    await send({ ...create, olids: "OL1A" });
    expect((await post("/merges", body)).status).toBe(status);
  });

  it("Q119: answers 401 to patrons, and redirects browsers to the login", async () => {
    expect((await post("/merges", { ...create, olids: "OL1A" }, reader)).status).toBe(401);
    expect((await post("/merges", { ...create, olids: "OL1A" }, service)).status).toBe(401);
    const form = {
      method: "POST",
      headers: { Accept: "text/html" },
      body: new URLSearchParams({ rtype: "x" }),
    };
    const answer = await service.fetch("/merges", form);
    expect([answer.status, answer.headers.get("Location")]).toEqual([
      303,
      "/account/login?redirect=%2Fmerges",
    ]);
  });

  it("is approved by the merge, which also records merges without a request", async () => {
    const [a, b, c] = numbers();
    await service.load(author(a), author(b), author(c));
    const { id } = (await send({ ...create, olids: `OL${a}A,OL${b}A` })) as { id: number };
    const body = { master: authorKey(a), duplicates: [authorKey(b)], mrid: String(id), comment: "ok" };
    expect((await post("/authors/merge.json", body)).status).toBe(200);
    expect(await entry(id)).toMatchObject({
      status: 2,
      reviewer: "libby",
      comments: { comments: [{ message: "ok" }] },
    });

    const olids = `OL${c}A,OL${a}A`;
    await post("/authors/merge.json", { master: authorKey(a), duplicates: [authorKey(c)], olids });
    const { entries } = (await service.json("/merges.json?mode=closed&reviewer=libby&limit=1")) as {
      entries: unknown[];
    };
    expect(entries).toMatchObject([
      { status: 2, url: `/authors/merge?records=OL${a}A,OL${c}A&primary=OL${a}A` },
    ]);
  });

  it("shows a page with actions for librarians", async () => {
    const [a] = numbers();
    await service.load(author(a, { name: "<b>Bold</b>" }));
    await send({ ...create, olids: `OL${a}A` });
    const page = async (who: Pick<LoggedIn, "fetch">): Promise<string> =>
      (await who.fetch("/merges?limit=100", { headers: { Accept: "text/html" } })).text();
    expect(await page(service)).toContain("&lt;b&gt;Bold");
    expect(await page(service)).not.toContain('<select id="action-');
    expect(await page(librarian)).toContain('<select id="action-');
    expect(await service.json("/merges")).toMatchObject({ size: expect.any(Number) });
    expect((await service.fetch("/merges.json?mode=x")).status).toBe(422);
  });
});

describe("/authors/merge and /works/merge", () => {
  const form = (fields: [string, string][], who: LoggedIn): Promise<Response> =>
    who.fetch("/authors/merge", {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { Accept: "text/html" },
    });

  it("lets librarians propose and super-librarians merge authors", async () => {
    const [a, b] = numbers();
    await service.load(author(a, { name: "A & B" }), author(b));
    const page = await (await librarian.fetch(`/authors/merge?records=OL${a}A,OL${b}A`)).text();
    expect(page).toContain(`value="OL${a}A" checked>`);
    expect(page).toContain("A &amp; B");
    const fields: [string, string][] = [
      ["master", `OL${a}A`],
      ["records", `OL${a}A`],
      ["records", `OL${b}A`],
    ];
    const proposed = await form(fields, librarian);
    expect([proposed.status, proposed.headers.get("Location")]).toEqual([303, "/merges"]);
    const twice = await form(fields, librarian);
    expect([twice.status, await twice.text()]).toEqual([400, expect.stringContaining("already exists")]);
    const merged = await form(fields, chief);
    expect([merged.status, merged.headers.get("Location")]).toEqual([303, authorKey(a)]);
    expect(await read(authorKey(b))).toMatchObject({ location: authorKey(a) });
    const wrong = await form([["master", "x"]], chief);
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      expect.stringContaining("Check the highlighted fields"),
    ]);
  });

  it("names members and references of the compared records", async () => {
    const [a, b] = numbers();
    await service.load(
      { key: "/languages/fre", type: "/type/language", name: "French", code: "fre" },
      work(a, { original_languages: [{ key: "/languages/fre" }], cover_edition: { key: "/books/OL9M" } }),
      work(b, { original_languages: [{ key: "/languages/fre" }] }),
      author(a, { entity_type: "person" }),
      author(b),
    );
    const [works, authors] = await Promise.all(
      [`/works/merge?records=OL${a}W,OL${b}W`, `/authors/merge?records=OL${a}A,OL${b}A`].map(async (path) =>
        (await chief.fetch(path)).text(),
      ),
    );
    expect(works).toContain('<a href="/languages/fre">French</a>');
    expect(works).not.toMatch(/>\/languages\/|>\/books\/|cover_edition/);
    expect(authors).toContain("Type of author");
    expect(authors).not.toContain("entity_type");
  });

  it("merges works with the chosen value of each field", async () => {
    const [a, b] = numbers();
    const [one, two] = [`OL${a}W`, `OL${b}W`];
    await service.load(
      work(a, { title: "One", first_publish_date: "1900", subjects: ["X"] }),
      work(b, { title: "The one", first_publish_date: "1899", subjects: ["Y"] }),
    );
    const page = await (await chief.fetch(`/works/merge?records=${one},${two}`)).text();
    expect(page).toContain(`name="choose_title" value="${two}"`);
    expect(await (await librarian.fetch(`/works/merge?records=${one},${two}`)).text()).not.toContain(
      "choose_",
    );
    const answer = await chief.fetch("/works/merge", {
      method: "POST",
      body: new URLSearchParams([
        ["master", one],
        ["records", one],
        ["records", two],
        ["choose_title", two],
        ["choose_first_publish_date", ""],
      ]),
      headers: { Accept: "text/html" },
    });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/works/${one}`]);
    expect(await read(`/works/${one}`)).toMatchObject({
      title: "The one",
      other_titles: ["One"],
      first_publish_date: "1900",
      subjects: ["X", "Y"],
    });
    expect(await read(`/works/${two}`)).toMatchObject({ location: `/works/${one}` });
  });
});
