import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { joined, marcBook, putItem, putItemFile } from "../../support/worker/marc.ts";
import { testService } from "../../support/worker/service.ts";

const AFFILIATE = "http://affiliate.test";
const MARC_HOST = "marc.test";
const service = testService({ AFFILIATE_URL: AFFILIATE, MARC_HOSTS: MARC_HOST });
let librarian: LoggedIn;

beforeAll(async () => {
  await service.load({ key: "/languages/eng", type: "/type/language", code: "eng", name: "English" });
  librarian = await loggedIn(service, "preview_librarian", { groups: ["librarians"] });
  for (const name of ["json", "page", "save", "form"]) {
    await putItem(`preview00${name}`);
    await putItemFile(`preview00${name}`, `preview00${name}_meta.mrc`, marcBook(`Previewed ${name}`));
  }
});
afterEach(() => vi.restoreAllMocks());

/** Fakes other services by address; returns the requested addresses. */
function elsewhere(answers: Readonly<Record<string, () => Response>>): string[] {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const url = String(input);
    asked.push(url);
    return answers[url]?.() ?? new Response("", { status: 404 });
  });
  return asked;
}

const get = async (query: Record<string, string>) => {
  const response = await librarian.fetch(`/import/preview.json?${new URLSearchParams(query)}`);
  return [response.status, await response.json()] as const;
};
const post = async (fields: Record<string, string>) => {
  const body = new URLSearchParams(fields);
  const response = await librarian.fetch("/import/preview.json", { method: "POST", body });
  return [response.status, await response.json()] as const;
};
const previewed = (title: string) => [
  200,
  expect.objectContaining({
    success: true,
    preview: true,
    edition: { key: expect.stringContaining("/__new__"), status: "created" },
    edits: expect.arrayContaining([expect.objectContaining({ title })]),
  }),
];
const failure = (code: string, error: unknown = expect.any(String)) => [
  200,
  { success: false, error_code: code, error },
];

describe("/import/preview.json", () => {
  it.each([
    [{}, "No provider specified"],
    [{ identifier: "x" }, "No provider specified"],
    [{ source: "preview00json" }, "Invalid source provided"],
    [{ source: "nowhere:1" }, "Invalid source provided"],
    [{ source: ":1", provider: "ia" }, "Invalid source provided"],
    [{ provider: "nowhere" }, "Invalid source provided"],
  ])("answers %j with %s", async (query, error) => {
    expect(await get(query)).toEqual([200, { success: false, error }]);
    expect(await post(query)).toEqual([200, { success: false, error }]);
  });

  it("prefers `source` to the other fields", async () => {
    const query = { source: "ia:preview00json", provider: "marc", identifier: "x" };
    expect(await get(query)).toEqual(previewed("Previewed json"));
    expect(await post(query)).toEqual(previewed("Previewed json"));
  });

  it.each(["true", "1", "ON", "Yes", "t", "Y"])("saves with save=%s", async (save) => {
    await putItemFile("preview00save", "preview00save_meta.mrc", marcBook(`Saved with ${save}`));
    const [status, answer] = await post({ provider: "ia", identifier: "preview00save", save });
    expect([status, answer]).toEqual([200, expect.not.objectContaining({ preview: true })]);
    expect(answer).toMatchObject({
      success: true,
      edition: { key: expect.stringMatching(/^\/books\/OL\d+M$/) },
    });
  });

  it.each(["false", "0", "OFF", "no", "f", "N"])("does not save with save=%s", async (save) => {
    const fields = { provider: "ia", identifier: "preview00json", save };
    expect(await post(fields)).toEqual(previewed("Previewed json"));
  });

  it("does not save by GET, and refuses other values", async () => {
    const query = { provider: "ia", identifier: "preview00json", save: "true" };
    expect(await get(query)).toEqual(previewed("Previewed json"));
    const [status, answer] = await post({ ...query, save: "maybe" });
    expect([status, answer]).toEqual([
      422,
      { detail: [expect.objectContaining({ type: "bool_parsing", loc: ["body", "save"] })] },
    ]);
  });
});

describe("previews of items", () => {
  it("accept items of any status, with or without MARC", async () => {
    await putItem("preview00movie", {
      mediatype: "movies",
      title: "A film",
      creator: "Somebody",
      date: "1999",
      publisher: "House",
    });
    expect(await get({ source: "ia:preview00movie" })).toEqual(previewed("A film"));
  });

  it("report an unknown item", async () => {
    expect(await get({ source: "ia:none00item" })).toEqual(
      failure("invalid-ia-identifier", "none00item not found"),
    );
  });

  it("report an unavailable archive", async () => {
    elsewhere({ "http://items.test/metadata/x": () => new Response("", { status: 500 }) });
    const remote = testService({ ITEMS: "http", ITEMS_URL: "http://items.test" });
    const response = await remote.fetch("/import/preview.json?source=ia:x", { headers: librarian.headers });
    expect([response.status, await response.json()]).toEqual(failure("items-unavailable"));
  });

  it("fetch items over HTTP, and cache their description", async () => {
    const item = {
      metadata: { identifier: "net00", mediatype: "texts" },
      files: [{ name: "net00_meta.mrc" }],
    };
    const asked = elsewhere({
      "http://items.test/metadata/net00": () => Response.json(item),
      "http://items.test/download/net00/net00_meta.mrc": () => new Response(marcBook("Networked")),
    });
    const remote = testService({ ITEMS: "http", ITEMS_URL: "http://items.test" });
    const call = () => remote.json("/import/preview.json?source=ia:net00", { headers: librarian.headers });
    expect([200, await call()]).toEqual(previewed("Networked"));
    expect([200, await call()]).toEqual(previewed("Networked"));
    expect(asked.filter((url) => url.includes("/metadata/"))).toHaveLength(1);
  });
});

describe("previews of the affiliate", () => {
  const HIT = {
    title: "Retail book",
    authors: [{ name: "Retail Author" }],
    publishers: ["House"],
    publish_date: "2001",
    source_records: ["amazon:0452269571"],
    isbn_10: ["0452269571"],
  };
  const address = `${AFFILIATE}/isbn/0452269571?high_priority=true&stage_import=false`;

  it("find a book by its ISBN, and cache it", async () => {
    const asked = elsewhere({ [address]: () => Response.json({ status: "success", hit: HIT }) });
    expect(await get({ source: "amazon:9780452269576" })).toEqual(previewed("Retail book"));
    expect(await get({ provider: "amazon", identifier: "0452269571" })).toEqual(previewed("Retail book"));
    expect(asked).toEqual([address]);
    await env.CACHE.delete("affiliate:v1:0452269571");
  });

  it.each<[unknown, string]>([
    [{ status: "not found" }, "No metadata found"],
    [{ status: "submitted", queue: 1 }, "No metadata found yet"],
    [{ error: "not_configured" }, "No affiliate lookup is configured"],
    [[], "The affiliate lookup isn’t responding"],
  ])("answer %j with %s", async (answer, error) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    elsewhere({ [address]: () => Response.json(answer) });
    expect(await get({ source: "amazon:0452269571" })).toEqual(failure("bad-input", error));
  });

  it("request nothing without configuration", async () => {
    const asked = elsewhere({});
    const bare = testService();
    const answer = await bare.json("/import/preview.json?source=amazon:0452269571", {
      headers: librarian.headers,
    });
    expect([200, answer]).toEqual(failure("bad-input", "No affiliate lookup is configured"));
    expect(asked).toEqual([]);
  });
});

describe("previews of MARC files", () => {
  const record = marcBook("From a file");
  const url = `https://${MARC_HOST}/dump.mrc`;
  const part = (body: Uint8Array) => () => new Response(body, { status: 206 });

  it("read the record at an offset", async () => {
    elsewhere({ [url]: part(joined(record, marcBook("The next"))) });
    const [status, answer] = await get({ source: `marc:${url}:120` });
    expect([status, answer]).toEqual(previewed("From a file"));
    const edition = Object(answer).edits.find((one: { key: string }) => one.key.startsWith("/books/"));
    expect(edition.source_records).toEqual([`marc:${url}:120:${record.length}`]);
  });

  it.each([
    "",
    "dump.mrc:0",
    `https://${MARC_HOST}/dump.mrc`,
    "https://elsewhere.test/dump.mrc:0",
    `http://${MARC_HOST}/dump.mrc:0`,
  ])("do not read %j", async (identifier) => {
    const asked = elsewhere({});
    expect(await get({ provider: "marc", identifier })).toEqual(failure("bad-input"));
    expect(asked).toEqual([]);
  });

  it.each<[string, () => Response]>([
    ["the whole file instead of a part", () => new Response(record)],
    ["an error", () => new Response("", { status: 416 })],
    [
      "a redirect to another host",
      () => new Response("", { status: 302, headers: { Location: "https://elsewhere.test/" } }),
    ],
    [
      "a redirect to plain HTTP",
      () => new Response("", { status: 302, headers: { Location: `http://${MARC_HOST}/` } }),
    ],
  ])("refuse %s", async (_what, answer) => {
    const asked = elsewhere({ [url]: answer });
    expect(await get({ source: `marc:${url}:0` })).toEqual(failure("bad-input"));
    expect(asked).toEqual([url]);
  });

  it("report a place without a record", async () => {
    elsewhere({ [url]: part(record.subarray(30)) });
    expect(await get({ source: `marc:${url}:30` })).toEqual(failure("invalid-marc-record"));
  });
});

describe("GET /import/preview", () => {
  const page = async (path: string, init?: RequestInit) => {
    const response = await librarian.fetch(path, init);
    return [response.status, await response.text()] as const;
  };

  it("shows new records, the JSON and a button to import", async () => {
    const [status, html] = await page("/import/preview?provider=ia&identifier=preview00page");
    expect(status).toBe(200);
    expect(html).toContain("New: Previewed page");
    expect(html).toContain("&quot;success&quot;: true");
    expect(html).toContain('<input type="hidden" name="save" value="true">');
    expect(html).toContain('<option value="ia" selected>');
  });

  it("shows errors escaped", async () => {
    const [status, html] = await page("/import/preview?source=ia:none00item%3Cb%3E");
    expect(status).toBe(200);
    expect(html).toContain("none00item&lt;b&gt; not found");
    expect(html).not.toContain("Import record");
  });

  it("imports, redirects to the book, and later shows the differences", async () => {
    const body = (save: string) => new URLSearchParams({ provider: "ia", identifier: "preview00form", save });
    const made = await librarian.fetch("/import/preview", { method: "POST", body: body("true") });
    expect(made.status).toBe(303);
    expect(made.headers.get("Location")).toMatch(/^\/books\/OL\d+M$/);
    await putItemFile(
      "preview00form",
      "preview00form_meta.mrc",
      marcBook("Previewed form", [["035", { a: "(OCoLC)123" }]]),
    );
    const [status, html] = await page("/import/preview", { method: "POST", body: body("false") });
    expect(status).toBe(200);
    expect(html).toContain("Changes");
    expect(html).toContain("oclc_numbers");
  });
});
