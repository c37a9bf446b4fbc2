import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { setServiceState } from "../../../src/db/service/service-state.ts";
import { LOGIN_FAILURES } from "../../../src/worker/accounts/budgets.ts";
import { PASSWORD, account, newAddress } from "../../support/worker/accounts.ts";
import { basic } from "../../support/worker/basic.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { settleIndexQueue } from "../../support/worker/queues.ts";
import { deleted, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { type Answer, looking } from "../../support/worker/writing.ts";

const service = testService({ RATE_LIMIT_PER_MINUTE: "0", COVERS_PUBLIC_URL: "https://covers.example/" });
const { read, lastChange } = looking(service);

const search = async (body: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await service.fetch("/api/ils_search", { method: "POST", body: text, headers });
  expect(response.headers.get("Content-Type")).toBe("application/json");
  return { status: response.status, body: await response.json() };
};
/** Key of the edition that is found, or the status. */
const found = async (body: unknown): Promise<unknown> => {
  const answer = Object((await search(body)).body);
  return answer.key ?? answer.status;
};

beforeAll(async () => {
  await service.load(
    work(1),
    edition(11, { work: 1, isbn_10: ["0451526538"], lccn: ["62000298"], oclc_numbers: ["ocm00001234"] }),
    edition(12, { work: 1, isbn_13: ["9780140328721"], lccn: ["62000299"], identifiers: { google: ["g1"] } }),
    edition(13, { work: 1, lccn: ["62000299"], identifiers: { google: ["g1", "g2"] }, ocaid: "scan13" }),
    edition(14, { work: 1, covers: [5, 6], identifiers: { goodreads: ["9"], status: ["lost"] } }),
    edition(15, { work: 1, covers: [-1, 6], identifiers: { goodreads: ["10"] } }),
    deleted("/books/OL16M", 1, { isbn_10: ["0747532699"] }),
  );
  await account(service, "librarian_one");
});

describe("POST /api/ils_search", () => {
  it.each([
    [{ isbn: "0451526538" }, 11],
    [{ isbn: ["1", "nothing", "0140328726"] }, 12],
    [{ identifiers: { isbn: ["0140328726"] } }, 12],
    [{ lccn: "62-298" }, 11],
    [{ oclc_numbers: ["1234"] }, 11],
    [{ identifiers: { oclc: "(OCoLC)1234" } }, 11],
    [{ ocaid: "scan13" }, 13],
    [{ identifiers: { google: "g2" } }, 13],
    // An ISBN goes before any number of others, and among those the most hits.
    [{ isbn: "0140328726", identifiers: { google: ["g1", "g2"] }, ocaid: "scan13" }, 12],
    [{ isbn: "0000000000", lccn: "62000298", identifiers: { google: ["g1", "g2"] } }, 13],
    [{ lccn: ["62000298", "62000299"], oclc_numbers: ["1234"] }, 11],
  ])("%j", async (body, id) => expect(await found(body)).toBe(`/books/OL${id}M`));

  it.each([
    { title: "Edition 11" },
    { isbn: "0747532699" },
    { isbn: [], lccn: "", ocaid: null, identifiers: [] },
    { isbn: { a: 1 }, identifiers: { google: { a: "g1" } }, authors: "x" },
  ])("finds nothing for %j", async (body) =>
    expect(await search(body)).toEqual({ status: 200, body: { status: "notfound" } }),
  );

  it.each(["", "not json", "[]", '"text"', "null", "7"])("answers 400 for %j", async (text) => {
    const { status, body } = await search(text);
    expect([status, body]).toEqual([
      400,
      { status: "error", reason: expect.stringMatching(/^Unparsable JSON input/) },
    ]);
  });

  it("limits identifiers and body size", async () => {
    const many = Array.from({ length: 201 }, (_, index) => `n${index}`);
    expect(await search({ identifiers: { google: many } })).toEqual({
      status: 400,
      body: { status: "error", reason: "Too many identifiers: 200 at most" },
    });
    expect(await search({ title: "x".repeat(70_000) })).toMatchObject({
      status: 413,
      body: { status: "error" },
    });
  });
});

describe("a found edition", () => {
  it("has its identifiers at the top level and the sizes of its cover", async () => {
    const { status, body } = await search({ identifiers: { goodreads: "9" } });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: "found",
      key: "/books/OL14M",
      olid: "OL14M",
      cover: {
        small: "https://covers.example/b/id/5-S.jpg",
        medium: "https://covers.example/b/id/5-M.jpg",
        large: "https://covers.example/b/id/5-L.jpg",
      },
      goodreads: ["9"],
      title: "Edition 14",
      works: [{ key: "/works/OL1W" }],
      covers: [5, 6],
    });
    const other = Object((await search({ identifiers: { goodreads: "10" } })).body);
    expect([other.covers, other.cover]).toEqual([[-1, 6], undefined]);
  });

  it("is returned to callers with credentials without a change", async () => {
    const before = await lastChange();
    const { body } = await search({ isbn: "0451526538", title: "Other" }, basic("librarian_one"));
    expect(body).toMatchObject({ status: "found", olid: "OL11M" });
    expect(await lastChange()).toEqual(before);
  });
});

describe("credentials", () => {
  it.each([
    ["of a wrong password", basic("librarian_one", "wrong")],
    ["of an unknown account", basic("unknown_account")],
    ["of another kind", { Authorization: "Bearer token" }],
    ["that are no base64", { Authorization: "Basic !!!" }],
    ["without a colon", { Authorization: "Basic bm9jb2xvbg==" }],
    ["that are empty", basic("", "")],
  ])("%s are a 401, also where the book is found", async (_, headers) => {
    const response = await service.fetch("/api/ils_search", {
      method: "POST",
      body: JSON.stringify({ isbn: "0451526538" }),
      headers,
    });
    expect([response.status, await response.json()]).toEqual([
      401,
      { status: "error", reason: "Invalid credentials" },
    ]);
    expect(response.headers.get("WWW-Authenticate")).toBe(
      'Basic realm="http://carrel.test", charset="UTF-8"',
    );
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it("are an email address or a username in any case", async () => {
    const body = { isbn: "0451526538" };
    expect((await search(body, basic("Librarian_ONE"))).status).toBe(200);
    expect((await search(body, basic("librarian_one@example.com"))).status).toBe(200);
    expect((await search(body, basic("librarian_one", `${PASSWORD}:`))).status).toBe(401);
  });

  it("of blocked and pending accounts are refused", async () => {
    for (const status of ["blocked", "pending"]) {
      await account(service, `${status}_library`);
      await env.PATRONS.prepare("UPDATE account SET status = ?1 WHERE username = ?2")
        .bind(status, `${status}_library`)
        .run();
      expect((await search({}, basic(`${status}_library`))).status).toBe(401);
    }
  });

  it("are rate-limited like logins, also when they are right", async () => {
    // Budgets are forgotten by an alarm of the real clock.
    service.now = Date.now();
    await account(service, "guessed_library");
    for (let attempt = 0; attempt < LOGIN_FAILURES.limit; attempt += 1) {
      expect((await search({}, basic("guessed_library", `wrong ${attempt}`))).status).toBe(401);
    }
    const { status, body } = await search({}, basic("guessed_library"));
    expect([status, body]).toEqual([
      429,
      { status: "error", reason: expect.stringContaining("Too many attempts") },
    ]);
    const address = { "CF-Connecting-IP": newAddress() };
    for (let attempt = 0; attempt < LOGIN_FAILURES.limit; attempt += 1) {
      await search({}, { ...basic(`guess_${attempt}`), ...address });
    }
    expect((await search({}, { ...basic("librarian_one"), ...address })).status).toBe(429);
  });
});

describe("an unknown book", () => {
  const BOOK = {
    title: "The making of a book: by a library",
    authors: ["Maker, Marta"],
    publisher: "Makers",
    publish_year: "1999",
    isbn: ["0140449132", "9780140449136"],
    lccn: "99000123",
    identifiers: { goodreads: "77" },
  };

  it("is created once for callers with credentials", async () => {
    expect(await found(BOOK)).toBe("notfound");
    const { status, body } = await search(BOOK, basic("librarian_one"));
    expect([status, body]).toEqual([
      200,
      {
        status: "created",
        editions: [expect.stringMatching(/^\/books\/OL\d+M$/)],
        works: [expect.stringMatching(/^\/works\/OL\d+W$/)],
        authors: [expect.stringMatching(/^\/authors\/OL\d+A$/)],
      },
    ]);
    const { editions, works, authors } = Object(body);
    expect(await read(editions[0])).toMatchObject({
      title: "The making of a book",
      subtitle: "by a library",
      authors: [{ key: authors[0] }],
      works: [{ key: works[0] }],
      publishers: ["Makers"],
      publish_date: "1999",
      isbn_10: ["0140449132"],
      isbn_13: ["9780140449136"],
      lccn: ["99000123"],
      identifiers: { goodreads: ["77"] },
      source_records: ["ils:librarian_one"],
    });
    expect(await lastChange()).toMatchObject({ kind: "add-book", author: { key: "/people/librarian_one" } });
    expect(await search(BOOK, basic("librarian_one"))).toMatchObject({
      body: { status: "found", key: editions[0], goodreads: ["77"] },
    });
    await settleIndexQueue();
  });

  it("is found when it is known by its title", async () => {
    const same = { ...BOOK, isbn: [], lccn: [], identifiers: {} };
    expect(await search(same, basic("librarian_one"))).toMatchObject({
      status: 200,
      body: { status: "found", title: "The making of a book", publish_date: "1999" },
    });
  });

  it.each([undefined, "", "  ", [], { a: 1 }])("needs a title other than %j", async (title) => {
    expect(await search({ title, publisher: "Makers" }, basic("librarian_one"))).toEqual({
      status: 400,
      body: { status: "error", reason: "title missing" },
    });
  });

  it("is refused when an import would be", async () => {
    const future = { title: "Tomorrow", publish_year: "2999" };
    expect(await search(future, basic("librarian_one"))).toEqual({
      status: 400,
      body: { status: "error", reason: "published in future year: 2999" },
    });
  });

  it("is refused for read-only accounts", async () => {
    await account(service, "reading_library");
    const reader = await loggedIn(service, "reading_library_two", { groups: ["read-only"] });
    await setPassword(reader.username, "reading_library");
    const { status, body } = await search({ title: "Not by me" }, basic(reader.username));
    expect([status, body]).toEqual([403, { status: "error", reason: "This account is read-only." }]);
  });

  it("is refused when the matching records are protected", async () => {
    const closed = { permission: { key: "/permission/closed" } };
    const book = {
      title: "Kept apart: a closed book",
      publisher: "Keepers",
      publish_year: "1990",
      authors: ["Karl Keeper"],
    };
    const { body } = await search({ ...book, isbn: "0306406152" }, basic("librarian_one"));
    const [key = ""] = Object(body).editions;
    const { revision: _revision, type: _type, ...made } = await read(key);
    await service.load(
      { key: "/permission/closed", type: "/type/permission", writers: [{ key: "/usergroup/keepers" }] },
      { ...made, ...closed, type: "/type/edition", revision: 2 },
    );
    const refused = await search({ ...book, lccn: "90000999" }, basic("librarian_one"));
    expect(refused).toEqual({
      status: 403,
      body: { status: "error", reason: `Permission denied to modify '${key}'` },
    });
    expect((await read(key)).revision).toBe(2);
  });

  it("is refused while the catalog is read-only", async () => {
    const set = (value: "on" | "off") => setServiceState(env.CATALOG, { value, by: null, changed: "" });
    await set("on");
    expect(await found({ isbn: "0451526538" })).toBe("/books/OL11M");
    expect(await search({ title: "Not now" }, basic("librarian_one"))).toMatchObject({
      status: 503,
      body: { status: "error" },
    });
    await set("off");
  });

  async function setPassword(username: string, of: string): Promise<void> {
    await env.PATRONS.prepare(
      `UPDATE account SET password_hash = (SELECT password_hash FROM account WHERE username = ?2) WHERE username = ?1`,
    )
      .bind(username, of)
      .run();
  }
});
