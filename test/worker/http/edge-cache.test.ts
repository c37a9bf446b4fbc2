import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { author, deleted, edition, work } from "../../support/worker/records.ts";
import { dumpLine, testService } from "../../support/worker/service.ts";
import { countedDatabase } from "../../support/worker/statements.ts";

/** The promise: seconds after which a write is seen everywhere. */
const STALE_SECONDS = 60;

/** A service with a cold isolate cache and the edge cache on; notes what it asks the database. */
function isolate(settings: Partial<Env> = {}) {
  const { database, statements } = countedDatabase(env.CATALOG);
  const service = testService({ EDGE_CACHE: "on", CATALOG: database, ...settings });
  return Object.assign(service, { statements });
}

const BOOKMARK_OF_D1 = "00000001-00000001-00004e61-0123456789abcdef0123456789abcdef";
const PATHS = [
  "/works/OL1W.json",
  "/works/OL1W.yml",
  "/works/OL1W.rdf",
  "/works/OL1W/Old_title",
  "/authors/OL1A/works.json",
  "/works/OL1W/editions.json",
  "/api/books.json?bibkeys=OL1M&jscmd=data",
  "/api/volumes/brief/olid/OL1M.json",
];

beforeAll(async () => {
  await testService().load(author(1), work(1, { title: "Old title", authors: [1] }), edition(1, { work: 1 }));
});

describe("the edge cache", () => {
  it.each(PATHS)("serves %s to another isolate without a query", async (path) => {
    const [first, second] = [isolate(), isolate()];
    const one = await first.fetch(path);
    first.statements.length = 0;
    second.now += 29_000;
    const other = await second.fetch(path);
    expect(second.statements).toEqual([]);
    expect(other.status).toBe(200);
    expect(await other.text()).toBe(await one.text());
    for (const name of ["Content-Type", "ETag", "Last-Modified", "Cache-Control", "Vary"]) {
      expect(other.headers.get(name)).toBe(one.headers.get(name));
    }
    expect(other.headers.get("X-Request-Id")).not.toBe(null);
    expect(first.statements).toEqual([]);
  });

  it("revalidates without a query", async () => {
    const path = "/works/OL1W.json?revalidated";
    const etag = (await isolate().fetch(path)).headers.get("ETag") ?? "";
    const other = isolate();
    const response = await other.fetch(path, { headers: { "If-None-Match": etag } });
    expect(response.status).toBe(304);
    expect(other.statements).toEqual([]);
  });

  it("expires", async () => {
    const path = "/works/OL1W.json?expiring";
    await isolate().fetch(path);
    const other = isolate();
    other.now += 30_000;
    await other.fetch(path);
    expect(other.statements).not.toEqual([]);
  });

  it("varies by the whole address and by Accept", async () => {
    const path = "/works/OL1W.json?apart";
    const [first, second] = [isolate(), isolate()];
    const variants: [string, string | null][] = [
      [path, null],
      [`${path}&callback=f`, null],
      [path, "text/x-yaml"],
      [path, "application/rdf+xml"],
    ];
    const bodies = new Set<string>();
    for (const service of [first, second]) {
      for (const [address, accept] of variants) {
        const headers = new Headers(accept === null ? undefined : { Accept: accept });
        bodies.add(await (await service.fetch(address, { headers })).text());
      }
    }
    expect(bodies.size).toBe(variants.length);
  });

  it.each([
    ["/works/OL404W.json", work(404)],
    ["/authors/OL405A/works.json", author(405)],
  ])("stores no errors: %s", async (path, record) => {
    const [first, second] = [isolate(), isolate()];
    expect((await first.fetch(path)).status).toBe(404);
    await testService().load(record);
    expect((await second.fetch(path)).status).toBe(200);
    expect((await first.fetch(path)).status).toBe(200);
  });

  it("can be turned off", async () => {
    const path = "/works/OL1W.json?off";
    await isolate({ EDGE_CACHE: "off" }).fetch(path);
    const other = isolate({ EDGE_CACHE: "on" });
    await other.fetch(path);
    expect(other.statements).not.toEqual([]);
  });
});

describe("after a write", () => {
  const title = async (service: ReturnType<typeof testService>, path: string, init?: RequestInit) =>
    Object(await service.json(path, init)).title;
  const renamed = (id: number, revision: number) => work(id, { revision, title: `Title ${revision}` });

  it("the writer reads it at once by its bookmark", async () => {
    const path = "/works/OL10W.json";
    const [writer, elsewhere] = [isolate(), isolate()];
    await writer.load(renamed(10, 1));
    expect(await title(elsewhere, path)).toBe("Title 1");
    const answer = await writer.loadText(dumpLine(renamed(10, 2)));
    const bookmark = answer.headers.get("X-Carrel-Bookmark") ?? "";
    expect(bookmark).toMatch(/^[\w-]+$/);
    expect(await title(elsewhere, path)).toBe("Title 1");
    expect(await title(elsewhere, path, { headers: { "X-Carrel-Bookmark": bookmark } })).toBe("Title 2");
    const cookie = { headers: { Cookie: `a=b; carrel_bookmark=${bookmark}` } };
    expect(await title(elsewhere, path, cookie)).toBe("Title 2");
  });

  it("a bookmark of another database engine is read at the primary", async () => {
    const asked: string[] = [];
    const CATALOG = new Proxy(env.CATALOG, {
      get(of, name) {
        if (name !== "withSession") throw new Error(`asked without a session: ${String(name)}`);
        return (from: string) => {
          asked.push(from);
          return of.withSession(from);
        };
      },
    });
    const service = testService({ CATALOG });
    for (const bookmark of ["17", BOOKMARK_OF_D1]) {
      const headers = { "X-Carrel-Bookmark": bookmark };
      expect((await service.fetch("/works/OL1W.json", { headers })).status).toBe(200);
    }
    // D1 refuses bookmarks of another engine. PostgreSQL always reads at the primary.
    expect(asked).toEqual(["first-primary", BOOKMARK_OF_D1]);
  });

  it.each([0, 4_000, 6_000, 29_000])(
    "the same isolate shows it at once, %i ms after a read",
    async (later) => {
      const id = 20 + later;
      const path = `/works/OL${id}W.json`;
      const service = isolate();
      await service.load(renamed(id, 1));
      service.now += 1000;
      expect(await title(service, path)).toBe("Title 1");
      service.now += later;
      await service.load(renamed(id, 2));
      expect(await title(service, path)).toBe("Title 2");
      await service.load(deleted(`/works/OL${id}W`, 3));
      expect(await service.json(path)).toMatchObject({ type: { key: "/type/delete" } });
    },
  );

  it("shows a write at once on all routes of the same isolate", async () => {
    const service = isolate();
    await service.load(author(30), work(30, { authors: [30] }), edition(30, { work: 30 }));
    const paths = PATHS.map((path) => path.replaceAll("OL1", "OL30"));
    for (const path of paths) await service.fetch(path);
    const changed = { revision: 2, modified: "2026-11-05T00:00:00.000000", title: "Changed" };
    await service.load(work(30, { ...changed, authors: [30] }), edition(30, { ...changed, work: 30 }));
    for (const path of paths) {
      const response = await service.fetch(path);
      const address = response.headers.get("Location") ?? path;
      expect(await (await service.fetch(address)).text(), path).toContain("Changed");
    }
  });

  it("updates lists of works at once in the same isolate", async () => {
    const service = isolate();
    const size = async () => {
      // A response made in the moment of a write is not cached.
      service.now += 10;
      return Object(await service.json("/authors/OL60A/works.json"))["size"];
    };
    await service.load(author(60), work(60, { authors: [60] }));
    expect(await size()).toBe(1);
    await service.load(work(61, { authors: [60] }));
    expect(await size()).toBe(2);
    await service.load(work(60, { revision: 2 }));
    expect(await size()).toBe(1);
  });

  it(`other isolates show it within ${STALE_SECONDS} seconds, and from then on`, async () => {
    const path = "/works/OL40W.json";
    const [writer, reader, other] = [isolate(), isolate(), isolate()];
    await writer.load(renamed(40, 1));
    // Answers go round: what an isolate gets out of the data centre's cache it keeps for a while itself.
    for (const service of [reader, other]) await service.fetch(path);
    await writer.load(renamed(40, 2));
    const seen = new Map([reader, other].map((service) => [service, [] as string[]]));
    for (let second = 1; second <= 2 * STALE_SECONDS; second += 1) {
      for (const [service, titles] of seen) {
        service.now = writer.now + second * 1000;
        titles.push(await title(service, path));
      }
    }
    for (const titles of seen.values()) {
      expect(titles[0]).toBe("Title 1");
      expect(titles.lastIndexOf("Title 1")).toBeLessThan(STALE_SECONDS);
      expect(titles.lastIndexOf("Title 1")).toBeLessThan(titles.indexOf("Title 2"));
    }
  });

  it("a response overtaken by the write is not cached", async () => {
    const path = "/works/OL50W.json";
    const service = isolate({ CATALOG: slowed(env.CATALOG, () => service.load(renamed(50, 2))) });
    await testService().load(renamed(50, 1));
    service.now += 1000;
    expect(await title(service, path)).toBe("Title 1");
    expect(await title(service, path)).toBe("Title 2");
    const other = isolate();
    other.now = service.now;
    expect(await title(other, path)).toBe("Title 2");
  });
});

/** A database whose first read is overtaken: `meanwhile` runs between the read and its answer. */
function slowed(database: D1Database, meanwhile: () => Promise<unknown>): D1Database {
  let isFirst = true;
  const overtaken = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(of, name) {
        if (name === "bind") return (...values: unknown[]) => overtaken(of.bind(...values));
        if (name !== "first") return Reflect.get(of, name, of);
        return async () => {
          const row = await of.first();
          await meanwhile();
          return row;
        };
      },
    });
  return new Proxy(database, {
    get(of, name) {
      if (name !== "withSession" || !isFirst) {
        const member: unknown = Reflect.get(of, name, of);
        return typeof member === "function" ? member.bind(of) : member;
      }
      isFirst = false;
      return () => ({ prepare: (sql: string) => overtaken(of.prepare(sql)) });
    },
  });
}
