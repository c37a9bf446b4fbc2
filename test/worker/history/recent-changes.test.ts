import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { saved } from "../../support/worker/desk.ts";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const WORK = { type: { key: "/type/work" } };
const HTML = { headers: { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };

interface Change {
  id: string;
  kind: string;
  timestamp: string;
  comment: string | null;
  changes: { key: string; revision: number }[] | null;
  author: { key: string } | null;
  ip: string | null;
  data: Record<string, unknown>;
}

const list = async (path: string): Promise<Change[]> => {
  const response = await service.fetch(path);
  expect(response.status, path).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  return response.json<Change[]>();
};
const ids = async (path: string): Promise<number[]> => (await list(path)).map(({ id }) => Number(id));
const query = (object: unknown): string =>
  `/recentchanges.json?query=${encodeURIComponent(JSON.stringify(object))}`;

/** Ids of changes by name. */
const made: Record<string, number> = {};

interface Edit {
  kind: string;
  author?: string | null;
  bot?: boolean;
  now: string;
  data?: Record<string, unknown>;
  comment?: string | null;
  ip?: string | null;
}
let titles = 0;

async function edit(name: string, key: string, { author = null, bot = false, ip = null, ...more }: Edit) {
  const { data = {}, comment = null, kind, now } = more;
  titles += 1;
  const documents = [{ key, ...WORK, title: `Title ${titles}` }];
  const writer = { author, bot, ip, authority: "service" } as const;
  const { change } = await saved(documents, { writer, kind, comment, now, data: JSON.stringify(data) });
  made[name] = change ?? 0;
}

const numbers = (...names: string[]): number[] => names.map((name) => made[name] ?? 0);

const MERGE_DATA = {
  master: "/works/OL3W",
  duplicates: ["/works/OL4W", "/works/OL5W"],
  mrid: 12,
  more: { a: "b" },
  from: "//evil.example",
};

beforeAll(async () => {
  const [janeKey, botKey] = ["/people/jane", "/people/RobotBot"];
  for (const [name, bot] of [
    ["jane", 0],
    ["RobotBot", 1],
    ["WasBot", 0],
  ]) {
    await env.PATRONS.prepare(
      `INSERT INTO account (username, username_folded, email, email_folded, status, bot, created)
       VALUES (?1, lower(?1), ?1, lower(?1), 'active', ?2, '2026-01-01T00:00:00.000000')`,
    )
      .bind(name, bot)
      .run();
  }
  service.now = Date.parse("2026-09-30T23:59:59.999Z");
  made["load"] = (await service.load(work(1))).changes[0] ?? 0;
  await edit("book", "/works/OL1W", {
    kind: "edit-book",
    author: janeKey,
    now: "2026-10-01T00:00:00.000000",
    comment: "<b>1 & 2</b>",
  });
  await edit("bot", "/works/OL1W", {
    kind: "update",
    author: botKey,
    now: "2026-10-31T12:00:00.000000",
    ip: "203.0.113.7",
  });
  await edit("old", "/works/OL2W", {
    kind: "default-update",
    author: "/people/WasBot",
    bot: true,
    now: "2026-11-01T10:00:00.000000",
  });
  await edit("twin", "/works/OL3W", {
    kind: "merge-works",
    author: janeKey,
    now: "2026-11-01T11:00:00.000000",
    data: MERGE_DATA,
  });
  await edit("twin2", "/works/OL4W", {
    kind: "create-list",
    author: "/people/away",
    bot: true,
    now: "2026-11-01T11:00:00.000000",
  });
  await edit("late", "/works/OL4W", {
    kind: "undo",
    author: janeKey,
    now: "2026-11-01T10:30:00.000000",
    data: { parent_changeset: String(made["twin"]) },
  });
  // The desk lets no edit be earlier than the one before; a load, or a mirrored change, can be.
  await env.CATALOG.prepare("UPDATE change SET created = '2026-11-01T10:30:00.000000' WHERE id = ?1")
    .bind(made["late"])
    .run();
  await edit("account", "/works/OL5W", {
    kind: "new-account",
    author: janeKey,
    now: "2027-01-01T00:00:00.000000",
  });
});

const ALL = ["account", "twin2", "twin", "late", "old", "bot", "book", "load"];

describe("GET /recentchanges", () => {
  it("shows changes with their members in their order", async () => {
    const changes = await list("/recentchanges.json");
    expect(changes.map(({ id }) => Number(id))).toEqual(numbers(...ALL));
    const merge = changes.find(({ kind }) => kind === "merge-works");
    expect(JSON.stringify(merge)).toBe(
      JSON.stringify({
        id: String(made["twin"]),
        kind: "merge-works",
        timestamp: "2026-11-01T11:00:00.000000",
        comment: null,
        changes: [{ key: "/works/OL3W", revision: 1 }],
        author: { key: "/people/jane" },
        ip: null,
        data: MERGE_DATA,
      }),
    );
    expect(changes.at(-1)).toMatchObject({ kind: "bulk_update", changes: null, author: null, ip: null });
    expect(changes.every(({ ip }) => ip === null)).toBe(true);
  });

  it.each([
    ["/recentchanges", ALL],
    ["/recentchanges.json?limit=3", ALL.slice(0, 3)],
    ["/recentchanges.json?limit=0", []],
    ["/recentchanges.json?limit=-5", []],
    ["/recentchanges.json?limit=x", ALL],
    ["/recentchanges.json?limit=", ALL],
    ["/recentchanges.json?limit=99999999999999999999", ALL],
    ["/recentchanges.json?offset=6", ["book", "load"]],
    ["/recentchanges.json?offset=x&limit=1", ["account"]],
    ["/recentchanges.json?offset=-1&limit=1", ["account"]],
    ["/recentchanges.json?offset=99999999999", []],
    // by kind; a kind that was renamed finds its other names
    ["/recentchanges/edit-book.json", ["book"]],
    ["/recentchanges/update.json", ["old", "bot"]],
    ["/recentchanges/bulk_update.json", ["load"]],
    ["/recentchanges/lists.json", ["twin2"]],
    ["/recentchanges/create-list.json", ["twin2"]],
    ["/recentchanges/new-account.json", ["account"]],
    ["/recentchanges/no-such-kind.json", []],
    // by date, half open
    ["/recentchanges/2026.json", ALL.slice(1)],
    ["/recentchanges/2027.json", ["account"]],
    ["/recentchanges/2025.json", []],
    ["/recentchanges/2026/10.json", ["bot", "book"]],
    ["/recentchanges/2026/09", ["load"]],
    ["/recentchanges/2026/10/01.json", ["book"]],
    ["/recentchanges/2026/10/31", ["bot"]],
    ["/recentchanges/2026/11/01", ["twin2", "twin", "late", "old"]],
    // both
    ["/recentchanges/2026/11/01/update.json", ["old"]],
    ["/recentchanges/2026/update", ["old", "bot"]],
    // by bots: today's flag, or where there is no account that of the change
    ["/recentchanges.json?bot=true", ["twin2", "bot", "load"]],
    ["/recentchanges.json?bot=false", ["account", "twin", "late", "old", "book"]],
    ["/recentchanges.json?bot=True", ALL],
    ["/recentchanges.json?bot=", ALL],
    // by author and record
    ["/recentchanges.json?author=/people/jane", ["account", "twin", "late", "book"]],
    ["/recentchanges/2026/11/01.json?author=/people/jane&bot=false", ["twin", "late"]],
    ["/recentchanges.json?author=/people/nobody", []],
    ["/recentchanges.json?key=/works/OL1W", ["bot", "book", "load"]],
    ["/recentchanges.json?key=/works/OL99W", []],
    ["/recentchanges.json?ip=203.0.113.7", []],
    ["/recentchanges.json?ip=x", []],
  ])("lists %s", async (path, expected) => {
    expect(await ids(path)).toEqual(numbers(...expected));
  });

  it.each([
    [{}, ALL],
    [{ limit: 2, offset: 1 }, ["twin2", "twin"]],
    [{ kind: "update" }, ["old", "bot"]],
    [{ author: "/people/jane", kind: "undo" }, ["late"]],
    [{ author: { key: "/people/jane" }, begin_date: "2026-11-01" }, ["account", "twin", "late"]],
    [{ begin_date: "2026-10-31", end_date: "2026-11-01" }, ["bot"]],
    [{ begin_date: "2026-11-01T11:00:00.000000", end_date: "2026-12" }, ["twin2", "twin"]],
    [{ begin_date: "2026-11-01 11:00:00", end_date: "2026-12" }, ["twin2", "twin"]],
    [{ key: "/works/OL4W" }, ["twin2", "late"]],
    [{ bot: true }, ["twin2", "bot", "load"]],
    [{ bot: "false", kind: "update" }, ["old"]],
    [{ ip: "no address" }, []],
    [{ data: { parent_changeset: "TWIN" } }, ["late"]],
    [{ data: { duplicates: "/works/OL5W" } }, ["twin"]],
    [{ data: { duplicates: "/works/OL5W", master: "/works/OL3W" } }, ["twin"]],
    [{ data: { duplicates: "/works/OL5W", master: "/works/OL9W" } }, []],
    [{ data: { mrid: 12 } }, ["twin"]],
    [{ data: { mrid: "12" } }, ["twin"]],
    [{ nothing: 1, kind: "undo" }, ["late"]],
  ])("lists query=%j", async (object, expected) => {
    const text = JSON.stringify(object).replace("TWIN", String(made["twin"]));
    expect(await ids(`/recentchanges.json?query=${encodeURIComponent(text)}`)).toEqual(numbers(...expected));
  });

  it("combines path and query object", async () => {
    expect(await ids(query({ begin_date: "2026-10-31" }).replace(".json", "/2026/10.json"))).toEqual(
      numbers("bot"),
    );
    expect(await ids(query({ kind: "undo" }).replace(".json", "/update.json"))).toEqual(
      numbers("old", "bot"),
    );
  });

  it.each(["{", "[]", "5", '{"limit":"x"}', '{"data":{"a":{}}}', '{"kind":5}'])(
    "answers 400 for query=%s",
    async (text) => {
      const response = await service.fetch(`/recentchanges.json?query=${encodeURIComponent(text)}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: "bad_data" });
    },
  );

  it.each(["", "?bot=true", "?bot=false", "?author=/people/jane"])(
    "partitions the list%s into pages",
    async (search) => {
      const whole = await ids(`/recentchanges.json${search}`);
      const more = search === "" ? "?" : "&";
      const pages: number[] = [];
      for (let offset = 0; offset < 10; offset += 2) {
        pages.push(...(await ids(`/recentchanges.json${search}${more}limit=2&offset=${offset}`)));
      }
      expect(pages).toEqual(whole);
    },
  );

  it.each([
    "/recentchanges/2026/13.json",
    "/recentchanges/2026/02/30",
    "/recentchanges/2026/2/3.json",
    "/recentchanges/26.json",
    "/recentchanges/2026/11/01/5.json",
    "/recentchanges/edit-book/5",
    "/recentchanges/2026/11/01/edit-book/999999.json",
    "/recentchanges/goto/999999",
    "/recentchanges/goto/x",
  ])("answers %s with the 404 of records", async (path) => {
    const response = await service.fetch(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: "notfound", key: path.replace(".json", "") });
  });

  it("returns YAML, JSONP and plain text", async () => {
    const yaml = await service.fetch("/recentchanges/undo.yml");
    expect(yaml.headers.get("Content-Type")).toBe("text/x-yaml; charset=utf-8");
    expect(await yaml.text()).toContain(`parent_changeset: "${made["twin"]}"`);
    const script = await service.fetch("/recentchanges.json?limit=1&callback=show");
    expect(script.headers.get("Content-Type")).toBe("application/javascript");
    expect(await script.text()).toMatch(/^show\(\[.*\]\);$/);
    expect((await service.fetch("/recentchanges.json?callback=a(b")).status).toBe(422);
    const text = await service.fetch("/recentchanges/undo.json?text=true");
    expect(text.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(JSON.parse(await text.text())).toHaveLength(1);
  });
});

describe("GET /recentchanges/…/{change}", () => {
  it("finds a change by its id under any date and kind", async () => {
    const [undo] = await list("/recentchanges/undo.json");
    for (const path of ["2026/11/01/undo", "1999/01/01/anything", "2026/11/01/edit-book"]) {
      expect(await service.json(`/recentchanges/${path}/${made["late"]}.json`)).toEqual(undo);
      expect(await service.json(`/recentchanges/${path}/${made["late"]}`)).toEqual(undo);
    }
    const yaml = await service.fetch(`/recentchanges/2026/11/01/undo/${made["late"]}.yml`);
    expect(await yaml.text()).toContain("kind: undo");
  });

  it.each(["", ".json", ".yml"])("redirects goto%s", async (suffix) => {
    const response = await service.fetch(`/recentchanges/goto/${made["late"]}${suffix}`);
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe(`/recentchanges/2026/11/01/undo/${made["late"]}${suffix}`);
  });
});

describe("pages of changes", () => {
  const read = async (path: string): Promise<string> => {
    const response = await service.fetch(path, HTML);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(response.headers.get("Vary")).toContain("Accept");
    const text = await response.text();
    expect(text).toMatch(/<html lang="en" dir="ltr">[^]*<main id="content"[^]*<\/main>/);
    expect(text.match(/<h1>/g)).toHaveLength(1);
    return text;
  };
  const rows = (text: string): number => (text.match(/<tr><th scope="row">/g) ?? []).length;

  it("list changes without new accounts, by people and bots", async () => {
    const all = await read("/recentchanges");
    expect(rows(all)).toBe(ALL.length - 1);
    expect(all).not.toContain("/new-account/");
    expect(all).toContain("&lt;b&gt;1 &amp; 2&lt;/b&gt;");
    expect(all).toContain(`href="/recentchanges/2026/10/01/edit-book/${made["book"]}"`);
    expect(all).toContain('href="/recentchanges?bot=false"');
    expect(all).toMatch(/<a href="\/works\/OL1W">Title \d+<\/a> <span[^>]*>OL1W<\/span>/);
    expect(rows(await read("/recentchanges?bot=true"))).toBe(3);
    expect(await read("/recentchanges?bot=true")).toContain('aria-current="page">Bots<');
    expect(rows(await read("/recentchanges/new-account"))).toBe(1);
    expect(rows(await read("/recentchanges?kind=new-account&begin="))).toBe(1);
    const of = (narrowed: string) => read(`/recentchanges?${narrowed}`);
    expect(rows(await of("begin=2026-10-01&end=2026-10-01"))).toBe(1);
    expect(rows(await of("author=jane&kind=edit-book"))).toBe(1);
    expect(rows(await read("/recentchanges?page=x&limit=1"))).toBe(ALL.length - 1);
  });

  it("have one address for a change", async () => {
    const response = await service.fetch(`/recentchanges/1999/01/01/any/${made["twin"]}`, HTML);
    expect(response.status).toBe(301);
    const address = `/recentchanges/2026/11/01/merge-works/${made["twin"]}`;
    expect(response.headers.get("Location")).toBe(address);
    const text = await read(address);
    expect(text).toMatch(/<a href="\/works\/OL3W">Title \d+<\/a>/);
    expect(text).toContain("<dt>Kept</dt>");
    expect(text).not.toContain("[&quot;/works/");
    expect(text).toContain("<dd>//evil.example</dd>");
    expect(await read(`/recentchanges/2026/09/30/bulk_update/${made["load"]}`)).toContain(
      "Records loaded from a data dump",
    );
  });

  it("show histories and comparisons", async () => {
    const history = await read("/works/OL1W?m=history");
    expect(rows(history)).toBe(3);
    expect(history).toContain('href="/works/OL1W?m=diff&amp;a=2&amp;b=3"');
    const diff = await read("/works/OL1W/any_title?m=diff&a=1&b=2");
    expect(diff).toContain("<del>Work</del> 1");
    expect(diff).toContain("<ins>Title</ins> 1");
    expect(await read("/works/OL1W?m=diff&a=2&b=2")).toContain("No differences");
    expect(await read("/works/OL2W?m=diff")).toContain("(first)");
  });

  it.each([
    ["/works/OL99W?m=history", 303, "/works/OL99W"],
    ["/works/OL1W?m=diff&a=x&b=2&c=3", 301, "/works/OL1W?m=diff&c=3"],
    ["/%2Fexample.com?m=history", 303, "/%2Fexample.com"],
    ["/%2F%2Fexample.com/%3Fa?m=diff", 303, "/%2F%2Fexample.com/%3Fa"],
  ])("answer %s with %i to %s", async (path, status, target) => {
    const response = await service.fetch(path, HTML);
    expect([response.status, response.headers.get("Location")]).toEqual([status, target]);
  });

  it.each(["b=9", "a=9&b=1"])("say that a revision of %s does not exist", async (revisions) => {
    const response = await service.fetch(`/works/OL1W?m=diff&${revisions}`, HTML);
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining("9")]);
  });

  it("fold the transactions of a load into one row", async () => {
    const loads = [];
    for (const number of [21, 22, 23]) loads.push((await service.load(work(number))).changes[0]);
    const all = await read("/recentchanges?kind=bulk_update");
    expect(rows(all)).toBe(1);
    expect(all).toContain("<summary>3 more</summary>");
    for (const id of loads) expect(all).toMatch(new RegExp(`/bulk_update/${id}"`));
    expect(await ids("/recentchanges/bulk_update.json")).toEqual([...loads.toReversed(), made["load"]]);
  });
});
