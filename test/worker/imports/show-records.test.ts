import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { joined, marcBook, putItem, putItemFile } from "../../support/worker/marc.ts";
import { edition } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const first = marcBook("Shown & <first>", [["500", { a: "Line one\nline two" }]]);
const second = marcBook("Shown second");
const FILE = "show00item/all.mrc";

beforeAll(async () => {
  await putItem("show00item");
  await putItemFile("show00item", "show00item_meta.mrc", first);
  await putItemFile("show00item", "all.mrc", joined(first, second, new Uint8Array([88, 88, 88, 88, 88, 88])));
  await putItem("plain00item");
  await putItem("odd00item");
  await putItemFile("odd00item", "odd00item_meta.mrc", "Not Found");
  await putItemFile("odd00item", "broken.mrc", `00030${"x".repeat(25)}`);
  await putItemFile("broken00item", "broken00item_meta.mrc", `00030${"x".repeat(25)}`);
  await service.load(
    edition(1, { title: "Made of it", source_records: [`marc:${FILE}:0:${first.length}`] }),
    edition(2, { title: "Made of the item", source_records: ["ia:show00item"] }),
    edition(3, { title: "Has the scan", ocaid: "odd00item" }),
  );
});
afterEach(() => vi.restoreAllMocks());

const show = async (rest: string) => {
  const response = await service.fetch(`/show-records/${rest}`);
  return { response, status: response.status, html: await response.text() };
};
const leadsTo = async (path: string): Promise<readonly [number, string | null]> => {
  const response = await service.fetch(path);
  return [response.status, response.headers.get("Location")];
};

describe("/show-records", () => {
  it("shows every field of an item's record, and its edition", async () => {
    const { status, html } = await show("ia:show00item");
    expect(status).toBe(200);
    expect(html).toContain("<td><b>$a</b> Shown &amp; &lt;first&gt;");
    expect(html).toContain('<th scope="row">245</th>');
    expect(html).toContain('<th scope="row">LDR</th>');
    expect(html).toContain("Line one<br>line two");
    expect(html).toContain('href="/books/OL2M"');
    expect(html).toContain("/show-records/ia:show00item?format=raw");
    expect(html).not.toContain("Next record");
  });

  it("shows the other fields when one is unreadable", async () => {
    const record = marcBook("With a damaged note", [["500", { a: "damaged" }]]);
    const text = new TextDecoder("latin1").decode(record);
    // The field lies outside of the record, and none is left for its entry in the directory.
    const entry = text.indexOf("500");
    record.set(new TextEncoder().encode("99999"), entry + 7);
    record[text.indexOf("\u001e  \u001fadamaged")] = 0x2e;
    await putItemFile("show00item", "damaged.mrc", record);
    const { status, html } = await show(`show00item/damaged.mrc:0:${record.length}`);
    expect(status).toBe(200);
    expect(html).toContain("With a damaged note");
    expect(html).toContain("This field can’t be read");
  });

  it("shows a record of a file, its edition and the next record", async () => {
    const { status, html } = await show(`${FILE}:0:${first.length}`);
    expect(status).toBe(200);
    expect(html).toContain('href="/books/OL1M"');
    expect(html).toContain(`/show-records/show00item/all.mrc:${first.length}:5`);
  });

  it("returns the raw record", async () => {
    for (const rest of ["ia:show00item", `${FILE}:0:${first.length}`]) {
      const response = await service.fetch(`/show-records/${rest}?format=raw`);
      expect(response.headers.get("Content-Type")).toBe("application/marc");
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(first);
    }
  });

  it("returns the record and its editions as JSON", async () => {
    await service.load(edition(4, { source_records: ["ia:show00item"], ocaid: "show00item" }));
    const asked = [
      service.fetch("/show-records/ia:show00item.json"),
      service.fetch("/show-records/ia:show00item", { headers: { Accept: "application/json" } }),
    ];
    for (const response of await Promise.all(asked)) {
      expect(response.headers.get("Content-Type")).toBe("application/json");
      expect(await response.json()).toMatchObject({
        source: "ia:show00item",
        source_record: "ia:show00item",
        editions: ["/books/OL2M", "/books/OL4M"],
        marc: {
          leader: expect.stringMatching(/^\d{5}/),
          fields: expect.arrayContaining([
            { "245": { ind1: " ", ind2: " ", subfields: [{ a: "Shown & <first>" }] } },
          ]),
        },
      });
    }
    const { html } = await show("ia:show00item");
    expect(html).toMatch(/OL2M[^]*OL4M/);
  });

  it("returns null for missing and unreadable records, and 404 for unknown ones", async () => {
    const missing = (rest: string, ...editions: string[]) =>
      [rest, [200, { source: rest, source_record: rest, editions, marc: null }]] as const;
    const unknown = [404, { detail: "Not Found" }];
    for (const [rest, answer] of [
      missing("ia:plain00item"),
      missing("ia:odd00item", "/books/OL3M"),
      missing("ia:broken00item"),
      missing("amazon:0452269571"),
      ["ia:none00item", unknown],
      ["odd", unknown],
      ["show00item/none.mrc:0:5", unknown],
    ] as const) {
      const response = await service.fetch(`/show-records/${rest}.json`);
      expect([response.status, await response.json()]).toEqual(answer);
    }
  });

  it.each([
    [`${FILE}:${first.length}:5.json`, `/show-records/${FILE}:${first.length}:${second.length}.json`],
    [
      `${FILE}:${first.length}:5?format=raw`,
      `/show-records/${FILE}:${first.length}:${second.length}?format=raw`,
    ],
    ["show00item/show00item_meta.mrc.json", "/show-records/ia:show00item.json"],
    ["show00item/show00item_meta.mrc:0:100", "/show-records/ia:show00item"],
    ["show00item/show00item_meta.mrc", "/show-records/ia:show00item"],
    ["ia:plain00item", "https://archive.org/details/plain00item"],
  ])("redirects %s to %s", async (rest, location) => {
    expect(await leadsTo(`/show-records/${rest}`)).toEqual([303, location]);
  });

  it("redirects its former path", async () => {
    expect(await leadsTo("/show-marc/ia:show00item.json")).toEqual([303, "/show-records/ia:show00item.json"]);
  });

  it.each([
    ["ia:odd00item", "ERROR reading MARC for odd00item"],
    [`${FILE}:${first.length + second.length}:5`, expect.stringContaining("ERROR reading MARC")],
    ["odd00item/broken.mrc:0:30", expect.stringContaining("Not a valid MARC record")],
    ["ia:broken00item", expect.stringContaining("Not a valid MARC record")],
  ])("reports the unreadable record %s", async (rest, text) => {
    const { status, html } = await show(rest);
    expect([status, html]).toEqual([200, text]);
  });

  it.each([
    ["amazon:0452269571", "https://www.amazon.com/dp/0452269571"],
    ["bwb:9780452269576", "https://www.betterworldbooks.com/product/detail/-9780452269576"],
    ["google_books:9780452269576", "https://books.google.com/books?vid=ISBN9780452269576"],
    ["amazon:%22%3E%3Cscript%3E", "https://www.amazon.com/dp/%22%3E%3Cscript%3E"],
  ])("links to the source: %s", async (rest, address) => {
    const { status, html } = await show(rest);
    expect(status).toBe(200);
    expect(html).toContain(`href="${address}"`);
  });

  it.each([
    "odd",
    "promise:1",
    "marc:x",
    "__proto__:1",
    "show00item/all.mrc:x:5",
    "show00item/none.mrc:0:5",
    `${FILE}:99999999:5`,
    "constructor:1",
  ])("answers 404 for %s", async (rest) => {
    expect((await show(rest)).status).toBe(404);
  });

  it("answers 404 without an archive, and 502 if it fails", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const bare = testService({ ITEMS: "http", ITEMS_URL: "" });
    expect((await bare.fetch("/show-records/ia:show00item")).status).toBe(404);
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("", { status: 403 }));
    const remote = testService({ ITEMS: "http", ITEMS_URL: "http://items.test" });
    expect((await remote.fetch("/show-records/ia:show00item")).status).toBe(404);
    vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.reject(new TypeError("no route")));
    vi.spyOn(scheduler, "wait").mockImplementation(() => Promise.resolve());
    expect((await remote.fetch("/show-records/ia:show00item")).status).toBe(502);
  });
});
