import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { type Difference, compareRecords } from "../../../scripts/lib/propose-differences.ts";
import { EditSender, ProposalSender } from "../../../scripts/lib/propose-send.ts";
import { Source } from "../../../scripts/lib/propose-source.ts";
import type { CatalogRecord } from "../../../src/catalog/record.ts";

type Answer = [status: number, body: unknown, headers?: Record<string, string>];

/** Services by request, such as `GET https://there.test/works/OL1W.json`; requests are noted, the others are 404. */
function network(answers: Record<string, Answer | (() => Answer)>) {
  const requests: string[] = [];
  const bodies: Record<string, unknown>[] = [];
  const send = async (
    url: string | URL | Request,
    { method = "GET", body }: RequestInit = {},
  ): Promise<Response> => {
    const request = `${method} ${decodeURIComponent(String(url))}`;
    requests.push(request);
    if (typeof body === "string") bodies.push(JSON.parse(body));
    const found = answers[request] ?? [404, {}];
    const [status, json, headers = {}] = typeof found === "function" ? found() : found;
    return new Response(JSON.stringify(json), { status, headers });
  };
  return { requests, bodies, fetch: send as typeof fetch };
}

const HERE = "http://here.test";
let there = "";
beforeEach(() => (there = `https://${randomUUID()}.test`));

const record = (revision: number, members: CatalogRecord, type = "work") =>
  ({ key: "/works/OL1W", type: { key: `/type/${type}` }, revision, ...members }) satisfies CatalogRecord;

/** Compares one record of these versions. */
async function compare(
  { base, ours, theirs }: Partial<Record<"base" | "ours" | "theirs", CatalogRecord>>,
  edit: object = {},
  more: Record<string, Answer> = {},
): Promise<Difference | undefined> {
  const row = { key: "/works/OL1W", type: "/type/work", revision: 3, change: 9, base: 2, ...edit };
  const answers: Record<string, Answer> = {
    [`GET ${HERE}/system/local-edits.json?limit=50&after=0`]: [200, { edits: [row], next: null }],
    ...(ours && { [`GET ${HERE}/works/OL1W.json?v=3`]: [200, ours] }),
    ...(base && { [`GET ${HERE}/works/OL1W.json?v=2`]: [200, base] }),
    ...(theirs && { [`GET ${there}/works/OL1W.json`]: [200, theirs] }),
    ...more,
  };
  const { fetch } = network(answers);
  const target = { url: HERE, token: "", fetch };
  const options = { target, source: new Source(there, { rate: 1000, fetch }), prefersOurs: false };
  for await (const { difference } of compareRecords(options, [])) return difference;
  return undefined;
}

describe("npm run propose: differences", () => {
  const base = record(2, { title: "a" });
  const ours = record(3, { title: "b" });

  it.each([
    ["differs", { base, ours, theirs: record(2, { title: "a" }) }, {}],
    ["conflict", { base, ours, theirs: record(4, { title: "c" }) }, {}],
    ["source has it", { base, ours, theirs: record(4, { title: "b" }) }, {}],
    ["gone there", { base, ours, theirs: record(4, {}, "redirect") }, {}],
    ["not there", { base, ours, theirs: { ...base, key: "/works/OL2W" } }, {}],
    ["not there", { base, ours }, {}],
    ["not comparable", { ours, theirs: record(2, { title: "a" }) }, {}],
    ["new here", {}, { base: null }],
    ["gone here", {}, { type: "/type/delete" }],
    ["not edited", {}, { base: 3 }],
    ["left out", { base, ours: record(3, { title: "a", covers: [7] }), theirs: base }, {}],
  ])("are %s", async (state, versions, edit) => {
    expect(await compare(versions, edit)).toMatchObject({ key: "/works/OL1W", state });
  });

  it("end where the source refuses reads", async () => {
    const more: Record<string, Answer> = { [`GET ${there}/works/OL1W.json`]: [403, {}] };
    await expect(compare({ base, ours }, {}, more)).rejects.toThrow("answered 403");
  });

  it("take the base from the source if it is gone here", async () => {
    const more: Record<string, Answer> = { [`GET ${there}/works/OL1W.json?v=2`]: [200, base] };
    const theirs = record(4, { title: "a", subtitle: "c" });
    expect(await compare({ ours, theirs }, {}, more)).toMatchObject({ changes: { title: "b" }, there: 4 });
  });

  it("leave out what names a record that was made here", async () => {
    const authors = [{ author: { key: "/authors/OL9A" } }];
    const origin = { key: "/authors/OL9A", type: "/type/author", revision: 1, change: 8, base: null };
    const more: Record<string, Answer> = {
      [`GET ${HERE}/system/local-edits.json?keys=["/authors/OL9A"]`]: [200, { edits: [origin] }],
    };
    expect(
      await compare({ base, ours: record(3, { title: "b", authors }), theirs: base }, {}, more),
    ).toMatchObject({
      changes: { title: "b" },
      left_out: { authors: "names /authors/OL9A, which was made here" },
    });
  });
});

const DIFFERENCE: Difference = {
  key: "/works/OL1W",
  state: "differs",
  revision: 3,
  base: 2,
  there: 4,
  changes: { title: "b" },
  members: [],
  left_out: {},
};

describe("npm run propose: proposals", () => {
  const stored = (state: string, revision = 4, note = "") => {
    return { id: 7, key: "/works/OL1W", revision, changes: { title: "b" }, state, note };
  };
  const listOf = (state: string, ...entries: object[]): Record<string, Answer> => ({
    [`GET ${there}/proposals.json?state=${state}&limit=100&page=1`]: [200, { entries }],
  });
  const sendBy = async (answers: Record<string, Answer>, difference = DIFFERENCE) => {
    const { fetch, requests, bodies } = network(answers);
    const sender = new ProposalSender(new Source(there, { rate: 1000, fetch }), "token");
    const delivery = await sender.send(difference, "why");
    return { delivery, posts: requests.filter((text) => text.startsWith("POST")), bodies };
  };
  const post = (answer: Answer): Record<string, Answer> => ({ [`POST ${there}/proposals.json`]: answer });

  it("are sent once, also if they were declined", async () => {
    const sent = await sendBy({ ...listOf("open"), ...post([200, { id: 7 }]) });
    expect(sent.delivery).toEqual({ outcome: "sent", detail: `${there}/proposals/7` });
    expect(sent.bodies).toEqual([
      { key: "/works/OL1W", revision: 4, changes: { title: "b" }, comment: "why" },
    ]);
    for (const [state, note] of [
      ["open", ""],
      ["declined", "no"],
    ] as const) {
      const again = await sendBy({ [`GET ${there}/proposals/7.json`]: [200, stored(state, 4, note)] });
      expect(again.delivery.outcome).toBe("known");
      expect(again.delivery.detail).toContain(note === "" ? "is open" : "is declined: no");
      expect(again.posts).toEqual([]);
    }
  });

  it("are found if another machine sent them", async () => {
    const { delivery, posts } = await sendBy(listOf("open", stored("open")));
    expect([delivery.outcome, posts]).toEqual(["known", []]);
  });

  it("are found if their acknowledgement was lost, even when declined meanwhile", async () => {
    await expect(sendBy({ ...listOf("open"), ...post([502, {}]) })).rejects.toThrow("answered 502");
    const { delivery, posts } = await sendBy({
      ...listOf("open"),
      ...listOf("accepted"),
      ...listOf("declined", stored("declined")),
    });
    expect([delivery.outcome, posts]).toEqual(["known", []]);
  });

  it("are replaced if the source's record or the correction has changed", async () => {
    await sendBy({ ...listOf("open"), ...post([200, { id: 7 }]) });
    const posts = [`POST ${there}/proposals.json`, `POST ${there}/proposals/7.json`];
    const newer = { ...DIFFERENCE, there: 5 };
    const answers = {
      [`GET ${there}/proposals/7.json`]: [200, stored("open")] as Answer,
      ...post([200, { id: 8 }]),
    };
    expect((await sendBy(answers, newer)).posts).toEqual(posts);
    const other = { ...newer, changes: { title: "c" } };
    const last = await sendBy({ ...listOf("open"), ...post([200, { id: 9 }]) }, other);
    expect(last.posts).toEqual([posts[0], `POST ${there}/proposals/8.json`]);
    expect(last.bodies.at(-1)).toEqual({ decision: "withdraw" });
  });

  it.each([
    [409, "changed"],
    [400, "refused"],
  ])("are answered with %i: %s", async (status, outcome) => {
    const { delivery } = await sendBy({ ...listOf("open"), ...post([status, { message: "No" }]) });
    expect(delivery).toEqual({ outcome, detail: `${status}: No` });
  });

  it("end with a refused token, and where there are none", async () => {
    await expect(sendBy({ ...listOf("open"), ...post([403, { message: "No" }]) })).rejects.toThrow(
      "Not allowed there",
    );
    await expect(sendBy({}, { ...DIFFERENCE, key: "/works/OL2W" })).rejects.toThrow("use --as edit");
  });

  it("are never sent in the open", () => {
    const source = new Source("http://there.test", { rate: 1 });
    expect(() => new ProposalSender(source, "token")).toThrow("use https");
  });
});

describe("npm run propose: edits", () => {
  const theirs = record(4, { title: "a", notes: "n" });
  const answersOf = (put: Answer, present: CatalogRecord = theirs): Record<string, Answer> => ({
    [`POST ${there}/account/login`]: [200, {}, { "Set-Cookie": "session=s; Path=/" }],
    [`GET ${there}/works/OL1W.json`]: [200, present],
    [`PUT ${there}/works/OL1W.json`]: put,
  });
  const sendBy = async (answers: Record<string, Answer>) => {
    const { fetch, requests, bodies } = network(answers);
    const keys = { access: "a", secret: "s" };
    const sender = new EditSender(new Source(there, { rate: 1000, fetch }), keys);
    const changes = { title: "b", notes: null };
    return { delivery: await sender.send({ ...DIFFERENCE, changes }, "why"), requests, bodies };
  };

  it("save the merged record, once", async () => {
    const { delivery, bodies } = await sendBy(answersOf([200, {}]));
    expect(delivery.outcome).toBe("sent");
    expect(bodies.at(-1)).toEqual({ ...record(4, { title: "b" }), _comment: "why" });
    const again = await sendBy(answersOf([200, {}]));
    expect([again.delivery.outcome, again.requests]).toEqual(["known", []]);
  });

  it("are not sent for a newer revision of the source", async () => {
    const { delivery, requests } = await sendBy(answersOf([200, {}], { ...theirs, revision: 5 }));
    expect(delivery.outcome).toBe("changed");
    expect(requests.filter((text) => text.startsWith("PUT"))).toEqual([]);
    expect((await sendBy(answersOf([409, { message: "Conflict" }]))).delivery.outcome).toBe("changed");
  });

  it("end with a refused login", async () => {
    const login: Answer = [401, { message: "No" }];
    await expect(sendBy({ [`POST ${there}/account/login`]: login })).rejects.toThrow(
      "refused the login: 401: No",
    );
  });
});
