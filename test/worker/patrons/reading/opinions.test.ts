import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { cookiesOf, formOf, jsonOf } from "../../../support/worker/accounts.ts";
import { type LoggedIn, loggedIn } from "../../../support/worker/logged-in.ts";
import { settleActivity } from "../../../support/worker/queues.ts";
import { testService } from "../../../support/worker/service.ts";

const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
let reader: LoggedIn;
let other: LoggedIn;
let works = 300;

beforeAll(async () => {
  reader = await loggedIn(service, "Critic");
  other = await loggedIn(service, "other_critic");
});

const newWork = (): string => `OL${(works += 1)}W`;

describe("observations", () => {
  const observe = (olid: string, body: unknown, who = reader): Promise<Response> =>
    who.fetch(`/works/${olid}/observations.json`, jsonOf(body));
  const add = async (olid: string, observation: Record<string, string>, who = reader): Promise<void> => {
    const response = await observe(olid, { action: "add", observation }, who);
    expect([response.status, await response.json()]).toEqual([200, { success: "Observations added" }]);
  };
  const own = (olid: string, who = reader): Promise<unknown> => who.json(`/works/${olid}/observations`);

  it("Q214: belong to the session, not to the name in the body", async () => {
    const olid = newWork();
    await observe(olid, { username: "other_critic", action: "add", observation: { Mood: "Dark" } });
    expect(await own(olid)).toEqual({ Mood: ["Dark"] });
    expect(await own(olid, other)).toEqual({});
  });

  it("accumulate, and are removed singly or all at once", async () => {
    const olid = newWork();
    await add(olid, { Mood: "Tense" });
    await add(olid, { Mood: "Dark", Length: "Short" });
    await add(olid, { Mood: "Dark" });
    expect(await own(olid)).toEqual({ Mood: ["Dark", "Tense"], Length: ["Short"] });
    const response = await observe(olid, { action: "delete", observation: { Mood: "Tense" } });
    expect(await response.json()).toEqual({ success: "Observations removed" });
    expect(await own(olid)).toEqual({ Mood: ["Dark"], Length: ["Short"] });
    const removed = await reader.fetch(`/works/${olid}/observations.json`, { method: "DELETE" });
    expect(await removed.json()).toEqual({ success: "Observations removed" });
    expect(await own(olid)).toEqual({});
  });

  it.each([
    [{ action: "add", observation: { Mood: "Purple" } }],
    [{ action: "add", observation: { Smell: "Dark" } }],
    [{ action: "add", observation: { Mood: "Dark", Length: "Endless" } }],
    [{ action: "praise", observation: { Mood: "Dark" } }],
    [{ action: "add" }],
  ])("refuse %o and write nothing", async (body) => {
    const olid = newWork();
    expect((await observe(olid, body)).status).toBe(422);
    expect(await own(olid)).toEqual({});
  });

  it("are counted publicly", async () => {
    const [one, two, none] = [newWork(), newWork(), newWork()];
    await add(one, { Mood: "Dark" });
    await add(one, { Mood: "Tense" });
    await add(one, { Mood: "Tense" }, other);
    await add(two, { Impressions: "Recommend" });
    await settleActivity();
    const response = await service.fetch(`/observations.json?olid=${one}&olid=${two}&olid=${none}`);
    const { observations } = await response.json<{ observations: Record<string, unknown> }>();
    expect(Object.keys(observations)).toEqual([one, two, none]);
    expect(observations[one]).toEqual({
      work_id: one.slice(2, -1),
      total_respondents: 2,
      observations: [
        {
          label: "Mood",
          description: expect.any(String),
          multi_choice: true,
          total_respondents_for_type: 2,
          values: [
            { value: "Tense", count: 2 },
            { value: "Dark", count: 1 },
          ],
          total_responses: 3,
        },
      ],
    });
    expect(observations[two]).toMatchObject({ total_respondents: 1 });
    expect(observations[none]).toEqual({
      work_id: none.slice(2, -1),
      total_respondents: 0,
      observations: [],
    });
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=60");
    expect(await service.json("/observations.json")).toEqual({ observations: {} });
    expect((await service.fetch("/observations.json?olid=OL1M")).status).toBe(422);
  });

  it("Q213: count at once for their patron", async () => {
    const olid = newWork();
    await add(olid, { Length: "Long" });
    expect(await reader.json(`/observations.json?olid=${olid}`)).toMatchObject({
      observations: { [olid]: { total_respondents: 1 } },
    });
  });
});

describe("awards", () => {
  const read = async (olid: string, who = reader): Promise<void> => {
    await who.fetch(`/works/${olid}/bookshelves.json`, formOf({ bookshelf_id: "3", dont_remove: "1" }));
  };
  const award = async (olid: string, fields: Record<string, string>, query = ""): Promise<unknown> =>
    reader.json(`/works/${olid}/awards.json${query}`, formOf(fields));
  const count = async (query: string): Promise<unknown> => service.json(`/awards/count.json?${query}`);

  it("are given, counted and taken back", async () => {
    const olid = newWork();
    await read(olid);
    const given = await award(olid, { topic: "cats", edition_key: "OL1M", comment: "purr" });
    expect(given).toEqual({ success: true, award: expect.any(Number) });
    await settleActivity();
    const number = olid.slice(2, -1);
    for (const query of [
      `work_id=${olid}`,
      `work_id=${number}&topic=cats`,
      `work_id=${olid}&username=CRITIC`,
    ]) {
      expect([query, await count(query)]).toEqual([query, { count: 1 }]);
    }
    expect(await count(`work_id=${olid}&topic=dogs`)).toEqual({ count: 0 });
    expect(await count("username=other_critic")).toEqual({ count: 0 });
    expect((await service.fetch("/awards/count.json?work_id=cat")).status).toBe(422);
    expect(await award(olid, { op: "remove" })).toEqual({ success: true, rows: 1 });
    expect(await award(olid, { op: "remove" })).toEqual({ success: true, rows: 0 });
    await settleActivity();
    expect(await count(`work_id=${olid}`)).toEqual({ count: 0 });
  });

  it("Q212: report all conflicts together with 200", async () => {
    const [one, two, unread] = [newWork(), newWork(), newWork()];
    await read(one);
    await read(two);
    await award(one, { topic: "dogs" });
    const errors = async (olid: string, fields: Record<string, string>): Promise<string> =>
      ((await award(olid, fields)) as { errors: string }).errors;
    expect(await errors(one, {})).toMatch(/needs a work and a topic.*already .*, for dogs/);
    expect(await errors(one, { topic: "mice" })).toContain("for dogs");
    expect(await errors(two, { topic: "dogs" })).toContain(`to /works/${one}`);
    expect(await errors(unread, { topic: "dogs" })).toMatch(/Already Read.*to \/works\//);
    expect(await errors(unread, { op: "update", topic: "dogs" })).toMatch(
      /^Only works on your Already Read shelf[^.]*\.$/,
    );
    await settleActivity();
    expect(await count("username=critic&topic=dogs")).toEqual({ count: 1 });
  });

  it("replace conflicting awards with op=update, and prefer the form over the query", async () => {
    const [one, two] = [newWork(), newWork()];
    await read(one);
    await read(two);
    await award(one, { topic: "one" });
    await award(two, { topic: "two" });
    const moved = await award(one, { topic: "two" }, "?op=update&topic=three");
    expect(moved).toMatchObject({ success: true });
    await settleActivity();
    for (const [query, expected] of [
      ["topic=one", 0],
      ["topic=two", 1],
      ["topic=three", 0],
      [`work_id=${two}`, 0],
    ] as const) {
      expect([query, await count(query)]).toEqual([query, { count: expected }]);
    }
  });
});

describe("likes", () => {
  const like = (body: unknown, method = "POST"): Promise<Response> =>
    reader.fetch("/api/like", { ...jsonOf(body), method });
  const counts = (key: string, who: Pick<LoggedIn, "json"> = service): Promise<unknown> =>
    who.json(`/api/likes?key=${key}`);

  it("Q217: count likes and dislikes", async () => {
    const key = `/works/${newWork()}`;
    expect(await (await like({ key })).json()).toEqual({ key, value: 1 });
    await other.fetch("/api/like", jsonOf({ key, value: 1 }));
    expect(await counts(key, reader)).toMatchObject({ patron_liked: true });
    await settleActivity();
    expect(await counts(key)).toEqual({ likes: 2, dislikes: 0, patron_liked: false });
    expect(await (await like({ key, value: -1 })).json()).toEqual({ key, value: -1 });
    expect(await counts(key, reader)).toEqual({ likes: 1, dislikes: 1, patron_liked: false });
    await settleActivity();
    expect(await counts(key)).toEqual({ likes: 1, dislikes: 1, patron_liked: false });
    expect(await (await like({ key }, "DELETE")).json()).toEqual({ key });
    expect(await counts(key, reader)).toEqual({ likes: 1, dislikes: 0, patron_liked: false });
    await settleActivity();
    expect(await counts(key)).toEqual({ likes: 1, dislikes: 0, patron_liked: false });
  });

  it.each([[{ key: "" }], [{ key: 7 }], [{ key: "/works/OL1W", value: 2 }], [{ key: "x".repeat(251) }]])(
    "answer 400 for %o",
    async (body) => {
      expect((await like(body)).status).toBe(400);
    },
  );

  it("Q222: answer 400 for a key that does not round-trip", async () => {
    for (const key of ["/works/OL1W\0", "/works/OL1W\n"]) expect((await like({ key })).status).toBe(400);
  });

  it("list the own likes, the newest first, ignoring a name in the query", async () => {
    const keys = Array.from({ length: 3 }, () => `/works/${newWork()}`);
    for (const key of keys) {
      service.now += 1000;
      await other.fetch("/api/like", jsonOf({ key }));
    }
    const rows = (query: string): Promise<unknown> => other.json(`/api/patron/likes?${query}`);
    expect(await rows("limit=2&username=Critic")).toMatchObject([
      {
        username: "other_critic",
        key: keys[2],
        value: 1,
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+$/),
      },
      { key: keys[1] },
    ]);
    expect(await rows("limit=1&offset=2")).toMatchObject([{ key: keys[0] }]);
    for (const query of ["limit=-1", "limit=x", "offset=-1", "offset=1.5"]) {
      expect((await other.fetch(`/api/patron/likes?${query}`)).status).toBe(400);
    }
    expect((await service.fetch("/api/patron/likes")).status).toBe(401);
    expect((await service.fetch("/api/like", jsonOf({ key: "/works/OL1W" }))).status).toBe(401);
    expect((await service.fetch("/api/likes")).status).toBe(400);
  });
});

describe("banners", () => {
  const hide = (body: unknown, who: Pick<LoggedIn, "fetch"> = service): Promise<Response> =>
    who.fetch("/hide_banner", jsonOf(body));

  it("are hidden by a cookie", async () => {
    const response = await hide({ "cookie-name": "bfp" });
    expect([response.status, await response.json()]).toEqual([200, { success: "Preference saved" }]);
    expect(cookiesOf(response)["bfp"]).toContain("1; Path=/; Max-Age=2592000");
    expect(cookiesOf(response)["bfp"]).not.toContain("HttpOnly");
    const days = await hide({ "cookie-name": "bfp", "cookie-duration-days": "2" });
    expect(cookiesOf(days)["bfp"]).toContain("Max-Age=172800");
  });

  it("of reading goals are remembered in the account", async () => {
    expect((await hide({ "cookie-name": "yrg26" })).status).toBe(200);
    await hide({ "cookie-name": "bfp" }, reader);
    expect(await reader.json("/account/preferences.json")).not.toHaveProperty("yrg_banner_pref");
    await hide({ "cookie-name": "yrg26" }, reader);
    expect(await reader.json("/account/preferences.json")).toMatchObject({ yrg_banner_pref: "yrg26" });
  });

  it.each([
    [{}],
    [{ "cookie-name": "session" }],
    [{ "cookie-name": "pd" }],
    [{ "cookie-name": "device" }],
    [{ "cookie-name": "a; b" }],
    [{ "cookie-name": "" }],
    [{ "cookie-name": "bfp", "cookie-duration-days": "long" }],
    [{ "cookie-name": "bfp", "cookie-duration-days": 0 }],
  ])("Q218: refuse %o", async (body) => {
    const response = await hide(body);
    expect([response.status, response.headers.getSetCookie()]).toEqual([422, []]);
  });
});

describe("monthly logins", () => {
  it("count logins within 30 days, cached", async () => {
    await loggedIn(service, "here_lately");
    await loggedIn(service, "here_long_ago");
    const at = "UPDATE account SET last_login = ?2 WHERE username = ?1";
    await env.PATRONS.batch([
      env.PATRONS.prepare(at).bind("here_lately", new Date(service.now - 29 * 86_400_000).toISOString()),
      env.PATRONS.prepare(at).bind("here_long_ago", new Date(service.now - 31 * 86_400_000).toISOString()),
    ]);
    expect(await service.json("/api/monthly_logins.json")).toEqual({ loginCount: 1 });
    await env.PATRONS.prepare("UPDATE account SET last_login = NULL").run();
    expect(await service.json("/api/monthly_logins.json")).toEqual({ loginCount: 1 });
    await env.CACHE.delete("monthly-logins:v1");
    expect(await service.json("/api/monthly_logins.json")).toEqual({ loginCount: 0 });
  });
});

describe("GET /partials/MyBooksDropperLists.json", () => {
  it("returns the lists with their members", async () => {
    const owner = await loggedIn(service, "list_dropper");
    expect(await owner.json("/partials/MyBooksDropperLists.json")).toEqual({
      dropper: expect.stringContaining("No lists yet"),
      listData: {},
    });
    await service.load(
      {
        key: "/people/list_dropper/lists/OL71L",
        type: "/type/list",
        name: "<b>Mine</b>",
        seeds: [{ key: "/works/OL1W" }, { thing: { key: "/books/OL2M" } }, "subject:love"],
      },
      { key: "/people/list_dropper2/lists/OL72L", type: "/type/list", name: "Other's", seeds: [] },
      {
        key: "/people/list_dropper/lists/OL73L",
        type: "/type/list",
        seeds: [],
        modified: "2026-10-01T00:00:00.000000",
      },
    );
    const { dropper, listData } = (await owner.json("/partials/MyBooksDropperLists.json")) as {
      dropper: string;
      listData: Record<string, unknown>;
    };
    expect(listData).toEqual({
      "/people/list_dropper/lists/OL71L": {
        members: ["/works/OL1W", "/books/OL2M", "subject:love"],
        listName: "<b>Mine</b>",
      },
      "/people/list_dropper/lists/OL73L": { members: [], listName: "" },
    });
    expect(dropper).toContain("&lt;b&gt;Mine&lt;/b&gt;");
    expect(dropper).not.toContain("<b>");
    expect((await service.fetch("/partials/MyBooksDropperLists.json")).status).toBe(401);
  });
});
