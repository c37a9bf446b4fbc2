import { beforeAll, describe, expect, it } from "vitest";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { author, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
let [reader, other, librarian, blocked]: LoggedIn[] = [];

beforeAll(async () => {
  reader = await loggedIn(service, "reader");
  other = await loggedIn(service, "other");
  librarian = await loggedIn(service, "libby", { groups: ["librarians"] });
  blocked = await loggedIn(service, "barred", { status: "blocked" });
  await service.load(author(1), work(1, { title: "Emma", subjects: ["Love"] }), work(2), work(3));
});

const asJson = { "Content-Type": "application/json" };
const post = (who: LoggedIn | undefined, path: string, body: unknown): Promise<Response> =>
  (who ?? service).fetch(path, { method: "POST", body: JSON.stringify(body), headers: asJson });
const json = async (response: Response): Promise<Record<string, unknown>> => response.json();

async function proposed(changes: object, key = "/works/OL1W", who = reader): Promise<number> {
  const response = await post(who, "/proposals.json", { key, changes, comment: "from the title page" });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await json(response))["id"] as number;
}
const decide = (id: number, decision: string, who = librarian, note = ""): Promise<Response> =>
  post(who, `/proposals/${id}.json`, { decision, note });
const readOne = (id: number, who = reader): Promise<unknown> => who!.json(`/proposals/${id}.json`);

describe("POST /proposals.json", () => {
  const changes = { title: "Emma: a novel" };
  it.each<[string, object, number, object]>([
    ["an unknown record", { key: "/works/OL99W", changes }, 404, { error: "notfound" }],
    ["a record that is neither a book nor an author", { key: "/people/reader", changes }, 404, {}],
    ["members of the service", { changes: { revision: 7 } }, 400, { error: "bad_data" }],
    [
      "values of a wrong type",
      { changes: { title: 7 } },
      400,
      { at: { key: "/works/OL1W", property: "title" } },
    ],
    ["a reference to nothing", { changes: { authors: [{ author: { key: "/authors/OL99A" } }] } }, 404, {}],
    ["what is stored already", { changes: { title: "Emma" } }, 400, { error: "bad_data" }],
    ["an older revision", { changes, revision: 7 }, 409, { error: "conflict" }],
    ["no changes", { changes: "x" }, 422, {}],
    ["a comment without end", { changes, comment: "x".repeat(1001) }, 422, {}],
  ])("refuses %s", async (_what, body, status, answer) => {
    const response = await post(reader, "/proposals.json", { key: "/works/OL1W", ...body });
    expect([response.status, await json(response)]).toEqual([status, expect.objectContaining(answer)]);
  });

  it("needs an account that may write", async () => {
    const body = { key: "/works/OL1W", changes };
    expect((await post(undefined, "/proposals.json", body)).status).toBe(401);
    expect((await post(blocked, "/proposals.json", body)).status).toBe(401);
  });

  it("stores the proposal and leaves the record", async () => {
    const id = await proposed({ title: "Emma: a novel", subjects: null });
    expect(await readOne(id)).toEqual({
      id,
      key: "/works/OL1W",
      revision: 1,
      changes: { title: "Emma: a novel", subjects: null },
      comment: "from the title page",
      submitter: "reader",
      reviewer: null,
      note: "",
      state: "open",
      created: "2026-11-21T12:00:00.000000",
      updated: "2026-11-21T12:00:00.000000",
      current: { title: "Emma", subjects: ["Love"] },
      current_revision: 1,
    });
    expect(await service.json("/works/OL1W.json")).toMatchObject({ title: "Emma", revision: 1 });
  });

  it("refuses more open proposals than an account may have", async () => {
    const many = await loggedIn(service, "many");
    for (let at = 0; at < 100; at += 1) await proposed({ title: `Title ${at}` }, "/works/OL3W", many);
    const body = { key: "/works/OL3W", changes: { title: "One more" } };
    expect((await post(many, "/proposals.json", body)).status).toBe(409);
  });
});

describe("a proposed change", () => {
  it("is seen by its submitter and librarians only", async () => {
    const id = await proposed({ title: "Seen" });
    const statuses = [reader, librarian, other].map(
      async (who) => (await who!.fetch(`/proposals/${id}.json`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 404]);
    const ids = async (who: LoggedIn | undefined): Promise<number[]> => {
      const { entries } = (await who!.json("/proposals.json?limit=100")) as { entries: { id: number }[] };
      return entries.map((entry) => entry.id);
    };
    expect(await ids(reader)).toContain(id);
    expect(await ids(librarian)).toContain(id);
    expect(await ids(other)).toEqual([]);
  });

  it("becomes a change of its submitter when a librarian accepts it", async () => {
    const id = await proposed({ title: "Accepted", subjects: null }, "/works/OL2W");
    expect((await decide(id, "accept", reader)).status).toBe(403);
    const accepted = await decide(id, "accept");
    expect(await json(accepted)).toEqual({ key: "/works/OL2W", revision: 2, state: "accepted" });
    expect(await service.json("/works/OL2W.json")).toMatchObject({ title: "Accepted", revision: 2 });
    expect(await service.json("/recentchanges.json?limit=1")).toMatchObject([
      {
        author: { key: "/people/reader" },
        comment: "from the title page",
        data: { proposal: String(id), reviewer: "libby" },
      },
    ]);
    expect(await readOne(id)).toMatchObject({ state: "accepted", reviewer: "libby" });
    expect((await decide(id, "decline")).status).toBe(409);
  });

  it("is refused once its record has changed, and can be declined", async () => {
    const [first, second] = [await proposed({ title: "One" }), await proposed({ title: "Two" })];
    expect((await decide(first, "accept")).status).toBe(200);
    const conflict = await decide(second, "accept");
    expect([conflict.status, await json(conflict)]).toEqual([
      409,
      expect.objectContaining({ error: "conflict" }),
    ]);
    expect(await readOne(second)).toMatchObject({ state: "open", revision: 1, current_revision: 2 });
    const page = await librarian!.fetch(`/proposals/${second}`, { headers: { Accept: "text/html" } });
    expect(await page.text()).toContain("The record has changed since, so this can’t be accepted.");
    expect((await decide(second, "decline", librarian, "outdated")).status).toBe(200);
    expect(await readOne(second)).toMatchObject({ state: "declined", note: "outdated" });
  });

  it("is withdrawn by its submitter alone", async () => {
    const id = await proposed({ title: "Withdrawn" }, "/works/OL3W");
    expect((await decide(id, "withdraw")).status).toBe(403);
    expect((await decide(id, "withdraw", other)).status).toBe(404);
    expect((await decide(id, "withdraw", reader)).status).toBe(200);
    expect(await readOne(id)).toMatchObject({ state: "withdrawn", reviewer: null });
  });

  it("has a page with both values, and a form for its reviewer", async () => {
    const id = await proposed({ title: "<b>New</b>" }, "/works/OL3W");
    const read = async (path: string, who = librarian): Promise<string> =>
      (await who!.fetch(path, { headers: { Accept: "text/html" } })).text();
    const page = await read(`/proposals/${id}`);
    expect(page).toContain(`value="accept"`);
    expect(page).toMatch(/&lt;.*b.*&gt;/);
    expect(await read(`/proposals/${id}`, reader)).not.toContain(`value="accept"`);
    expect(await read("/proposals")).toContain(`href="/proposals/${id}"`);
  });
});
