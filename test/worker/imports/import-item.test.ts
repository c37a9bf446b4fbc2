import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { answerOf, failure, itemRequests } from "../../support/worker/import-items.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { marcBook, putItem, putItemFile } from "../../support/worker/marc.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService({ ITEM_PREFIXES_REFUSED: "never_ test_" });
let bot: LoggedIn;

beforeAll(async () => {
  await service.load(
    { key: "/languages/eng", type: "/type/language", code: "eng", name: "English" },
    { key: "/languages/fre", type: "/type/language", code: "fre", name: "French" },
  );
  bot = await loggedIn(service, "import_item_bot", { bot: true });
});

const { ask, imported, record, refused } = itemRequests(service, () => bot);
const post = (body: BodyInit, type: string, query = ""): Promise<Response> =>
  bot.fetch(`/api/import/ia${query}`, { method: "POST", body, headers: { "Content-Type": type } });

describe("POST /api/import/ia", () => {
  it("imports an item from its MARC record", async () => {
    await putItem("binary00item");
    await putItemFile("binary00item", "binary00item_meta.mrc", marcBook("Scanned book"));
    const answer = await imported({ identifier: "binary00item" });
    expect(answer).toMatchObject({ success: true, edition: { status: "created" } });
    expect(await record(answer.edition.key)).toMatchObject({
      title: "Scanned book",
      ocaid: "binary00item",
      source_records: ["ia:binary00item"],
    });
    expect((await imported({ identifier: "binary00item" })).edition).toEqual({
      key: answer.edition.key,
      status: "matched",
    });
    const edition = await service.fetch("/ia/binary00item");
    expect(edition.headers.get("Location")).toContain(answer.edition.key);
  });

  it("overwrites a promised book with its MARC record", async () => {
    const title = "Promised and scanned";
    const promised = JSON.stringify({
      title,
      publish_date: "1966",
      authors: [{ name: `Author of ${title}` }],
      isbn_10: ["0452269571"],
      source_records: ["promise:x:1"],
    });
    const first = await bot.json("/api/import", { method: "POST", body: promised });
    await putItem("promised00item");
    await putItemFile(
      "promised00item",
      "promised00item_meta.mrc",
      marcBook(title, [["020", { a: "0452269571" }]]),
    );
    const answer = await imported({ identifier: "promised00item" });
    expect(answer.edition.key).toBe(Object(first).edition.key);
    expect(await record(answer.edition.key)).toMatchObject({
      publishers: ["Publisher"],
      source_records: ["promise:x:1", "ia:promised00item"],
    });
  });

  it("imports MARCXML without a binary record", async () => {
    await putItem("xml00item");
    await putItemFile(
      "xml00item",
      "xml00item_marc.xml",
      `<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000cam a2200000 a 4500</leader>
<controlfield tag="008">730914s1966    nyu           000 0 eng  </controlfield>
<datafield tag="245" ind1="1" ind2="0"><subfield code="a">Tagged and scanned</subfield></datafield></record>`,
    );
    const { edition } = await imported({ identifier: "xml00item" });
    expect(await record(edition.key)).toMatchObject({ title: "Tagged and scanned", ocaid: "xml00item" });
  });

  it("imports an item's metadata if MARC is not required", async () => {
    const members = {
      title: "Described item",
      creator: "Ann Author; Bob Author;",
      date: "1999",
      publisher: "[New York] : Random House",
      language: "French",
      imagecount: "454",
      isbn: "9780140328721",
      collection: "inlibrary",
      noindex: "true",
    };
    await putItem("described00item", members);
    expect(await refused({ identifier: "described00item" })).toEqual(
      failure("no-marc-record", "Invalid item"),
    );
    const { edition } = await imported({ identifier: "described00item", require_marc: "false" });
    expect(await record(edition.key)).toMatchObject({
      title: "Described item",
      number_of_pages: 450,
      publish_places: ["New York"],
      publishers: ["Random House"],
      languages: [{ key: "/languages/fre" }],
      isbn_13: ["9780140328721"],
      source_records: ["ia:described00item"],
      ocaid: "described00item",
    });
  });

  it.each<[string, string, Record<string, unknown>]>([
    ["not-texts-item", "movie00", { mediatype: "movies" }],
    ["prefix-blacklisted", "never_00", {}],
  ])("refuses an item with %s unless forced", async (code, id, members) => {
    await putItem(id, members);
    await putItemFile(id, `${id}_meta.mrc`, marcBook(`Forced ${id}`));
    expect(await refused({ identifier: id })).toEqual(failure(code, `Prohibited Item ${id}`));
    expect((await imported({ identifier: id, force_import: "true" })).edition.status).toBe("created");
  });

  it.each<[string, string, Uint8Array | string]>([
    ["is no MARC", "_meta.mrc", "Not Found"],
    ["is no XML", "_marc.xml", "<record><leader>"],
  ])("refuses an item whose record %s", async (what, name, body) => {
    const id = `bad00${what.replaceAll(" ", "")}`;
    await putItem(id);
    await putItemFile(id, id + name, body);
    const wrong = failure("invalid-marc-record", "Invalid item");
    expect(await refused({ identifier: id })).toEqual(wrong);
  });

  it.each(["missing00item", "../x", "a b", ""])("refuses the unknown identifier %j", async (id) => {
    const wrong =
      id === ""
        ? failure("bad-input", "identifier not provided")
        : failure("invalid-ia-identifier", `${id} not found`);
    expect(await refused({ identifier: id })).toEqual(wrong);
  });

  it("refuses metadata that is too sparse or has no identifier", async () => {
    await putItem("little00item", { title: "Little" });
    expect(await refused({ identifier: "little00item", require_marc: false })).toEqual(
      failure("not-differentiable", expect.stringContaining("authors")),
    );
    await putItem("nameless00item", { identifier: undefined });
    expect(await refused({ identifier: "nameless00item", require_marc: false })).toEqual(
      failure("invalid-ia-metadata", expect.any(String)),
    );
  });

  it("stores nothing with preview", async () => {
    await putItem("preview00item");
    await putItemFile("preview00item", "preview00item_meta.mrc", marcBook("Only looked at"));
    const answer = await imported({ identifier: "preview00item", preview: true });
    expect(answer).toMatchObject({ success: true, preview: true, edition: { status: "created" } });
    expect((await imported({ identifier: "preview00item" })).edition.status).toBe("created");
  });
});

describe("parameters of POST /api/import/ia", () => {
  beforeAll(async () => {
    for (const name of ["a", "b"]) {
      await putItem(`form00${name}`);
      await putItemFile(`form00${name}`, `form00${name}_meta.mrc`, marcBook(`Form ${name}`));
    }
  });
  const ocaidOf = async (response: Response) => {
    const { edition, edits } = Object(await response.json());
    return edits === undefined
      ? (await record(edition.key)).ocaid
      : edits.find((edit: { ocaid?: string }) => edit.ocaid !== undefined)?.ocaid;
  };

  it("come as JSON, as a form of either kind, or in the query", async () => {
    const form = new URLSearchParams({ identifier: "form00a", preview: "true" });
    const urlencoded = "application/x-www-form-urlencoded";
    expect(await ocaidOf(await post(form.toString(), urlencoded))).toBe("form00a");
    const parts = '--x\r\nContent-Disposition: form-data; name="identifier"\r\n\r\nform00a\r\n--x--\r\n';
    const multipart = await bot.fetch("/api/import/ia?preview=true", {
      method: "POST",
      body: parts,
      headers: { "Content-Type": "multipart/form-data; boundary=x", "Content-Length": String(parts.length) },
    });
    expect(await ocaidOf(multipart)).toBe("form00a");
    expect(await ocaidOf(await post("", urlencoded, `?${form}`))).toBe("form00a");
    expect(await ocaidOf(await ask({ identifier: "form00a", preview: true }))).toBe("form00a");
    const untyped = new TextEncoder().encode('{"identifier": "form00a", "preview": true}');
    expect(await ocaidOf(await bot.fetch("/api/import/ia", { method: "POST", body: untyped }))).toBe(
      "form00a",
    );
  });

  it("are taken from the body before the query", async () => {
    const body = JSON.stringify({ identifier: "form00b" });
    const answer = await post(body, "application/json", "?identifier=form00a&preview=true");
    expect(await ocaidOf(answer)).toBe("form00b");
  });
});

describe("items", () => {
  it("answer 503 if no place is configured", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const nowhere = testService({ ITEMS: "http", ITEMS_URL: "" });
    const body = JSON.stringify({ identifier: "binary00item" });
    const headers = { ...bot.headers, "Content-Type": "application/json" };
    const response = await nowhere.fetch("/api/import/ia", { method: "POST", body, headers });
    expect(response.status).toBe(503);
    vi.restoreAllMocks();
  });

  it("are uploaded by operators only", async () => {
    const put = (path: string, body: string, token = env.LOAD_TOKEN ?? "") =>
      service.fetch(`/system/items/${path}`, {
        method: "PUT",
        body,
        headers: { Authorization: `Bearer ${token}`, "Content-Length": String(body.length) },
      });
    const metadata = JSON.stringify({ metadata: { identifier: "put00item", mediatype: "movies" } });
    const stored = await put("put00item/metadata.json", metadata);
    expect(await answerOf(stored)).toEqual([
      200,
      { key: "items/put00item/metadata.json", size: metadata.length },
    ]);
    expect(await refused({ identifier: "put00item" })).toEqual(
      failure("not-texts-item", "Prohibited Item put00item"),
    );
    for (const [path, token, status] of [
      ["put00item/pages/1.txt", undefined, 200],
      ["put00item/a/%2e%2e%2fb", undefined, 400],
      ["put!item/a", undefined, 400],
      ["put00item/a", "wrong", 403],
    ] as const)
      expect((await put(path, "x", token)).status).toBe(status);
    const large = await service.fetch("/system/items/put00item/large", {
      method: "PUT",
      body: "x",
      headers: { Authorization: `Bearer ${env.LOAD_TOKEN}`, "Content-Length": "999999999999" },
    });
    expect(large.status).toBe(413);
    const { readable, writable } = new FixedLengthStream(10);
    const writer = writable.getWriter();
    const broken = service.fetch("/system/items/put00item/part", {
      method: "PUT",
      body: readable,
      headers: { Authorization: `Bearer ${env.LOAD_TOKEN}`, "Content-Length": "10" },
    });
    await writer.write(new TextEncoder().encode("half"));
    void writer.abort(new Error("gone")).catch(() => undefined);
    expect((await broken).status).toBe(400);
    expect((await bot.fetch("/download/put00item/part")).status).toBe(404);
  });
});
