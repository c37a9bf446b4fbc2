import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openBatch } from "../../../src/db/imports/batches.ts";
import { addItems } from "../../../src/db/imports/items.ts";
import { setServiceState } from "../../../src/db/service/service-state.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { marcBytes as latinMarc } from "../../support/marc/build-marc.ts";
import { marcBook, marcBytes } from "../../support/worker/marc.ts";
import { TIME, testService } from "../../support/worker/service.ts";

const service = testService();
let bot: LoggedIn;

beforeAll(async () => {
  await service.load({ key: "/languages/eng", type: "/type/language", code: "eng", name: "English" });
  bot = await loggedIn(service, "import_record_bot", { bot: true });
});

interface Answer {
  readonly success: boolean;
  readonly edition: { readonly key: string; readonly status: string };
  readonly work: { readonly key: string; readonly status: string };
  readonly authors?: readonly { readonly key: string; readonly name: string; readonly status: string }[];
  readonly edits?: readonly Record<string, unknown>[];
  readonly preview?: boolean;
}

const send = (body: BodyInit, headers: Record<string, string> = {}, query = ""): Promise<Response> =>
  bot.fetch(`/api/import${query}`, { method: "POST", body, headers });
const sent = async (body: BodyInit, headers: Record<string, string> = {}, query = ""): Promise<Answer> => {
  const response = await send(body, headers, query);
  const answer: unknown = await response.json();
  expect([response.status, answer]).toEqual([200, expect.anything()]);
  return answer as Answer;
};
const refused = async (body: BodyInit, headers: Record<string, string> = {}) => {
  const response = await send(body, headers);
  expect(response.headers.get("Content-Type")).toBe("application/json");
  expect(response.headers.get("Cache-Control")).toContain("no-store");
  return [response.status, await response.json()];
};
const book = (title: string, more: object = {}): string =>
  JSON.stringify({
    title,
    authors: [{ name: `Writer of ${title}` }],
    publishers: ["Some House"],
    publish_date: "2001",
    source_records: [`test:${title}`],
    ...more,
  });
const record = async (key: string) => Object(await service.json(`${key}.json`));

describe("POST /api/import", () => {
  it("creates edition, work and author, and matches the record the second time", async () => {
    const made = await sent(book("Import once"));
    expect(made).toEqual({
      success: true,
      edition: { key: expect.stringMatching(/^\/books\/OL\d+M$/), status: "created" },
      work: { key: expect.stringMatching(/^\/works\/OL\d+W$/), status: "created" },
      authors: [
        {
          key: expect.stringMatching(/^\/authors\/OL\d+A$/),
          name: "Writer of Import once",
          status: "created",
        },
      ],
    });
    expect(await sent(book("Import once"))).toEqual({
      success: true,
      edition: { key: made.edition.key, status: "matched" },
      work: { key: made.work.key, status: "matched" },
    });
    expect(await record(made.edition.key)).toMatchObject({
      title: "Import once",
      source_records: ["test:Import once"],
      works: [{ key: made.work.key }],
    });
  });

  it("detects the format under any content type", async () => {
    const types = [
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/plain",
      "odd",
    ];
    for (const [index, type] of types.entries()) {
      const answer = await sent(` \n${book(`Typed ${index}`)}\n`, { "Content-Type": type });
      expect(answer.edition.status).toBe("created");
    }
  });

  it("stores nothing with preview=true", async () => {
    const answer = await sent(book("Only a preview"), {}, "?preview=true");
    expect(answer).toMatchObject({ success: true, preview: true, edition: { status: "created" } });
    expect(answer.edits?.map(({ title, name }) => title ?? name)).toEqual(
      expect.arrayContaining(["Only a preview", "Writer of Only a preview"]),
    );
    expect(answer.edition.key).toMatch(/^\/books\/__new__/);
    expect((await sent(book("Only a preview"), {}, "?preview=1")).edition.status).toBe("created");
  });

  it("takes MARC with its source in a header", async () => {
    const headers = { "X-Archive-Meta-Source-Record": "marc:test/one.mrc:0:1" };
    const { edition } = await sent(marcBook("Binary book"), headers);
    expect(await record(edition.key)).toMatchObject({
      title: "Binary book",
      source_records: ["marc:test/one.mrc:0:1"],
    });
  });
});

describe("POST /api/import: failures", () => {
  const UNREADABLE = "Failed to parse import data";
  // The type of matchers says nothing.
  const REASON: unknown = expect.stringMatching(/\w+/);
  it.each<[string, unknown, BodyInit, Record<string, string>?]>([
    ["unrecognised-import-format", UNREADABLE, ""],
    ["unrecognized-XML-format", UNREADABLE, '<?xml version="1.0"?><html/>'],
    ["no-marc-record", UNREADABLE, "00025nam"],
    ["unknown-error", UNREADABLE, "{}"],
    ["missing-required-field", "missing required field(s): source_records", marcBook("No source")],
    ["invalid-value", expect.stringContaining("Field required"), '{"title": "A"}'],
    [
      "publication-year-too-old",
      "publication year is too old (i.e. earlier than 1400): 1300",
      book("Old", { publish_date: "1300", source_records: ["bwb:1"], isbn_10: ["0140328726"] }),
    ],
    ["published-in-future-year", "published in future year: 2999", book("Future", { publish_date: "2999" })],
    [
      "independently-published",
      "book is independently published",
      book("Own", { publishers: ["Independently Published"] }),
    ],
    ["source-needs-isbn", "this source needs an ISBN", book("Bare", { source_records: ["amazon:1"] })],
    ["invalid-json", REASON, "{]}"],
    [
      "invalid-xml",
      REASON,
      '<?xml version="1.0"?><record xmlns="http://www.loc.gov/MARC21/slim"><leader></record>',
    ],
    [
      "invalid-marc-record",
      REASON,
      marcBytes([["008", "730914s1966    nyu           000 0 eng  "]]),
      { "X-Archive-Meta-Source-Record": "x:1" },
    ],
  ])("answer with %s: %s", async (code, error, body, headers) => {
    expect(await refused(body, headers)).toEqual([400, { success: false, error_code: code, error }]);
  });

  it("answer with author-id-conflict", async () => {
    const ids = (viaf: string, isni: string) => ({ authors: [{ name: "Ids", remote_ids: { viaf, isni } }] });
    await sent(book("Ids one", ids("111", "aaa")));
    const [status, answer] = await refused(book("Ids two", ids("111", "bbb")));
    expect([status, Object(answer).error_code]).toEqual([400, "author-id-conflict"]);
  });

  it("answer with warnings for what is changed or dropped", async () => {
    const members = { number_of_pages: "many", languages: ["wtf"], isbn_10: ["$4.95"], "Bad Name": 1 };
    const { warnings } = Object(await sent(book("With warnings", members)));
    const codes = warnings.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);
    expect(codes).toEqual([
      "number_of_pages wrong-type",
      "isbn_10 invalid-isbn",
      "languages invalid-language",
      "Bad Name invalid-value",
    ]);
  });

  it("answer with a warning for MARC in Latin-1, and keep the article that it marks", async () => {
    const fields = [
      "008 200101s1999    xxu           000 0 eng d",
      "245 10‡a<<Die>> Söhne Müllers",
      "500   ‡afü\u0081r",
    ];
    const headers = { "X-Archive-Meta-Source-Record": "marc:latin/x.mrc:0:1" };
    const made = Object(await sent(latinMarc({ fields, marc8: true }).slice().buffer, headers));
    const codes = made.warnings.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(["read-as-windows-1252", "damaged-text"]);
    const stored = { title: "Die Söhne Müllers", title_article: "Die " };
    expect(await record(made.edition.key)).toMatchObject({ ...stored, publish_date: "1999" });
    expect(await record(made.work.key)).toMatchObject(stored);
    expect(await (await service.fetch(`${made.edition.key}.marcxml`)).text()).toContain(
      'tag="245" ind1="0" ind2="4"',
    );
  });

  it("answer with bad-request for records that cannot be saved", async () => {
    const [status, answer] = await refused(book("Store says no", { works: [{ key: "/works/OL9999999W" }] }));
    expect(status).toBe(400);
    expect(Object(answer)).toMatchObject({ success: false, error_code: "bad-request", error: "notfound" });
    expect(Object(answer).message).toMatch(/OL9999999W/);
  });

  it("answer with 413 above 1 MiB", async () => {
    expect((await send("x".repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await send(book("Almost", { notes: "x".repeat(100_000) }))).status).toBe(200);
  });
});

describe("POST /api/import with an incomplete record", () => {
  const STAGED = {
    authors: [{ name: "Staged Author" }],
    publishers: ["Staged House"],
    publish_date: "1987",
  };
  beforeEach(() => env.CATALOG.prepare("DELETE FROM import_item").run());

  it.each<[string, string, object]>([
    ["its ISBN-13", "amazon:0312368615", { isbn_13: ["9780312368616"] }],
    ["its ISBN-10", "amazon:0312368615", { isbn_10: ["0312368615"] }],
    ["its ASIN", "amazon:B000STAGED", { identifiers: { amazon: ["B000STAGED"] } }],
  ])("adds the record staged under %s", async (_what, id, numbers) => {
    const title = `Staged as ${id.slice(-10)}`;
    const data = JSON.stringify({ ...STAGED, title, source_records: [id] });
    const { batch } = await openBatch(env.CATALOG, { name: "amz", now: TIME });
    await addItems(env.CATALOG, [{ ia_id: id, status: "staged", data }], { batch: batch.id, now: TIME });
    const { edition } = await sent(JSON.stringify({ source_records: ["promise:1"], ...numbers }));
    expect(await record(edition.key)).toMatchObject({ title, source_records: ["promise:1", id] });
  });
});

describe("access to POST /api/import", () => {
  it("is refused with an empty 403", async () => {
    const patron = await loggedIn(service, "import_record_patron");
    for (const call of [service.fetch, patron.fetch]) {
      for (const path of ["/api/import", "/api/import/ia"]) {
        const response = await call(path, { method: "POST", body: book("Nobody") });
        expect([response.status, await response.text()]).toEqual([403, ""]);
        expect(response.headers.get("Content-Type")).toBe("application/json");
      }
    }
  });

  it.each<[string, string, string]>([
    ["no JSON", "application/json", "{"],
    ["no form", "multipart/form-data; boundary=x", "zzz"],
    ["too long", "text/plain", "x".repeat(1024 * 1024 + 1)],
  ])("is checked before a body that is %s", async (_what, type, body) => {
    for (const path of ["/api/import", "/api/import/ia"]) {
      const headers = { "Content-Type": type, "Content-Length": String(body.length) };
      const response = await service.fetch(path, { method: "POST", body, headers });
      expect([path, response.status, await response.text()]).toEqual([path, 403, ""]);
    }
  });

  describe("while the service is read-only", () => {
    const readOnly = (value: string) => setServiceState(env.CATALOG, { value, changed: TIME, by: null });
    afterEach(() => readOnly("off"));

    it("is refused with a 503 and Retry-After", async () => {
      await readOnly("on");
      const response = await send(book("Too early"));
      expect(response.status).toBe(503);
      expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    });
  });
});
