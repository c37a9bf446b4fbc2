import { beforeAll, describe, expect, it } from "vitest";
import { type ItemFields, failure, itemRequests } from "../../support/worker/import-items.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { joined, marcBook, marcBytes, putItemFile } from "../../support/worker/marc.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
let bot: LoggedIn;

beforeAll(async () => {
  await service.load(
    { key: "/languages/eng", type: "/type/language", code: "eng", name: "English" },
    {
      key: "/local_ids/trent",
      type: "/type/local_id",
      name: "Trent",
      urn_prefix: "trent",
      id_location: "949$a",
    },
    { key: "/local_ids/control", type: "/type/local_id", urn_prefix: "ctl", id_location: "001" },
    { key: "/local_ids/odd", type: "/type/local_id", urn_prefix: "odd", id_location: "949$a$b" },
  );
  bot = await loggedIn(service, "import_bulk_bot", { bot: true });
});

const { imported, record, refused } = itemRequests(service, () => bot);

describe("POST /api/import/ia with bulk_marc", () => {
  const first = marcBook("Bulk first", [["949", { a: "0116301499939" }]]);
  const second = marcBook("Bulk second", [
    ["949", { b: "no number" }],
    ["001", "own-7"],
  ]);
  const broken = marcBytes([["008", "730914s1966    nyu           000 0 eng  "]]);
  const serial = marcBook("Bulk serial", [], { kind: "as" });
  const FILE = "bulk00item/records.mrc";
  const at = (...before: Uint8Array[]) => joined(...before).length;
  const bulk = (place: string, more: ItemFields = {}) =>
    refused({ identifier: place, bulk_marc: "true", ...more });
  const next = (offset: number | null, length: number | null) => ({
    next_record_offset: offset,
    next_record_length: length,
  });

  beforeAll(() => putItemFile("bulk00item", "records.mrc", joined(first, second, broken, serial)));

  it("imports a record at an estimated length, and returns the place of the next", async () => {
    const answer = await imported({ identifier: `${FILE}:0:5`, bulk_marc: true });
    expect(answer).toMatchObject({
      success: true,
      edition: { status: "created" },
      ...next(first.length, second.length),
    });
    expect(await record(answer.edition.key)).toMatchObject({
      title: "Bulk first",
      source_records: [`marc:${FILE}:0:${first.length}`],
    });
    const again = await imported({ identifier: `${FILE}:0:${first.length}`, bulk_marc: true });
    expect(again).toMatchObject({ edition: { status: "matched" }, ...next(first.length, second.length) });
  });

  it("finds the end of a record whose stated length is off by a few bytes", async () => {
    for (const difference of [-3, 4]) {
      const damaged = marcBook(`Bulk damaged ${difference}`);
      const stated = String(damaged.length + difference).padStart(5, "0");
      damaged.set(new TextEncoder().encode(stated));
      await putItemFile("bulk00item", "damaged.mrc", joined(damaged, second));
      const answer = await imported({ identifier: "bulk00item/damaged.mrc:0:5", bulk_marc: true });
      expect(answer).toMatchObject({
        warnings: [{ code: "damaged-record", field: "leader", value: stated }],
        ...next(damaged.length, second.length),
      });
    }
  });

  it("reports an unreadable record, with the place of the next", async () => {
    const place = `${FILE}:${at(first, second)}:${broken.length}`;
    expect(await bulk(place)).toEqual(
      failure(
        "invalid-marc-record",
        expect.stringContaining(`${place}: `),
        next(at(first, second, broken), serial.length),
      ),
    );
  });

  it("reports a record that is no book, and the end of the file", async () => {
    const place = `${FILE}:${at(first, second, broken)}:5`;
    expect(await bulk(place)).toEqual(failure("item-is-serial", "Item rejected", next(null, null)));
    expect(await bulk(place, { force_import: "true" })).toEqual([
      200,
      expect.objectContaining({ success: true, ...next(null, null) }),
    ]);
  });

  it("returns the place of the next record after a failed import", async () => {
    const wrong = marcBook("Bulk own", [["260", { b: "Independently Published" }]]);
    await putItemFile("bulk00item", "tongues.mrc", joined(wrong, first));
    const [status, answer] = await bulk("bulk00item/tongues.mrc:0:5");
    expect([status, answer]).toEqual([
      400,
      expect.objectContaining({ error_code: "independently-published", ...next(wrong.length, first.length) }),
    ]);
  });

  it.each([
    ["beyond the end of the file", `${FILE}:9999999:5`],
    ["in a file that is not there", "bulk00item/none.mrc:0:5"],
    ["in an item that is not there", "none00item/records.mrc:0:5"],
    ["in the middle of another one", `${FILE}:30:100`],
  ])("refuses a record %s", async (_what, place) => {
    expect(await bulk(place)).toEqual(
      failure("invalid-marc-record", expect.stringContaining(place), next(null, null)),
    );
  });

  it.each([
    "records.mrc:0:5",
    `${FILE}:0`,
    `${FILE}:x:5`,
    `${FILE}::5`,
    `${FILE}:0:0`,
    `${FILE}:0:100000`,
    "a",
  ])("refuses the place %j", async (place) => {
    expect(await bulk(place)).toEqual(failure("bad-input", expect.any(String)));
  });

  describe("with local_id", () => {
    it("stores the partner's number, which finds the book", async () => {
      const answer = await imported({ identifier: `${FILE}:0:5`, bulk_marc: "true", local_id: "trent" });
      const value = "urn:trent:0116301499939";
      expect((await record(answer.edition.key)).local_id).toEqual([value]);
      const key = `local_id:${value}`;
      const found = Object(await service.json(`/api/books.json?bibkeys=${encodeURIComponent(key)}`));
      expect(found[key]?.info_url).toContain(answer.edition.key);
    });

    it("takes the number from a control field, or none", async () => {
      const serialToo = marcBook("Partner serial", [["001", "own-8"]], { kind: "as" });
      await putItemFile("bulk00item", "partner.mrc", joined(serialToo, second));
      const place = { identifier: "bulk00item/partner.mrc:0:5", bulk_marc: "true" };
      const own = await imported({ ...place, local_id: "control" });
      expect((await record(own.edition.key)).local_id).toEqual(["urn:ctl:own-8"]);
      const none = await imported({
        ...place,
        identifier: `bulk00item/partner.mrc:${serialToo.length}:5`,
        local_id: "trent",
      });
      expect((await record(none.edition.key)).local_id).toBeUndefined();
    });

    it.each(["nobody", "odd"])("refuses the partner %s", async (name) => {
      const wrong = failure("bad-input", expect.any(String), next(first.length, second.length));
      expect(await bulk(`${FILE}:0:5`, { local_id: name })).toEqual(wrong);
    });
  });
});
