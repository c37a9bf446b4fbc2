import { expect, it } from "vitest";
import { type DumpedRecord, TABLES } from "../../../src/export/parquet/columns.ts";
import { writeEnd, writeRows } from "../../../src/export/parquet/write.ts";
import { readParquet } from "../../support/worker/parquet.ts";

function dumped(record: Record<string, unknown> & { readonly key: string }): DumpedRecord {
  const json = JSON.stringify(record);
  return { key: record.key, record: JSON.parse(json) as DumpedRecord["record"], json };
}

const time = (value: string) => ({ type: "/type/datetime", value });

it("a file of very many separate row groups is read as one", async () => {
  const rows = Array.from({ length: 150 }, (_, n) =>
    dumped({ key: `/works/OL${n}W`, title: `Title ${n % 7} ä🐋` }),
  );
  let size = 0;
  const parts: Uint8Array[] = [];
  const pages: Uint8Array<ArrayBuffer>[] = [];
  for (let n = 0; n < rows.length; n += 2) {
    const page = n % 20 === 0 ? undefined : pages.pop();
    const written = writeRows("works", rows.slice(n, n + 2), { size, page });
    parts.push(written.bytes);
    pages.push(written.page);
    size += written.bytes.length;
  }
  const read = await readParquet(Buffer.concat([...parts, writeEnd("works", pages, size)]));
  expect([read.metadata.num_rows, read.metadata.row_groups.length, pages.length]).toEqual([150n, 75, 8]);
  expect(read.rows.map(({ json }) => json)).toEqual(rows.map(({ json }) => json));
  expect(read.rows.map(({ title }) => title)).toEqual(rows.map(({ record }) => record["title"]));
  const statistics = read.metadata.row_groups.map(({ columns }) => columns[0]?.meta_data?.statistics);
  expect(statistics[5]).toMatchObject({ min_value: "/works/OL10W", max_value: "/works/OL11W" });
});

it("a file without rows has its columns", async () => {
  const { metadata, rows } = await readParquet(writeEnd("authors", [], 0));
  expect([metadata.num_rows, rows]).toEqual([0n, []]);
  const top = metadata.schema.filter(({ name }) => TABLES.authors.some((column) => column.name === name));
  expect(top.map(({ name }) => name)).toEqual(TABLES.authors.map(({ name }) => name));
});

it("columns of an edition are typed", async () => {
  const edition = dumped({
    key: "/books/OL1M",
    title: "Emma",
    works: [{ key: "/works/OL1W" }],
    authors: [{ key: "/authors/OL1A" }],
    languages: [{ key: "/languages/eng" }, { key: "/l/fre" }],
    isbn_10: ["0-14-143951-3", "nonsense"],
    isbn_13: ["9780141439518"],
    publish_date: "June 1998",
    number_of_pages: 512,
    covers: [5, -1, 2 ** 40],
    revision: 3,
    created: time("2008-04-01T03:28:50.625462"),
    last_modified: time("2026-11-02T10:00:00.000001"),
  });
  const { bytes, page } = writeRows("editions", [edition], { size: 0, page: undefined });
  const { rows } = await readParquet(Buffer.concat([bytes, writeEnd("editions", [page], bytes.length)]));
  expect(rows[0]).toMatchObject({
    key: "/books/OL1M",
    title: "Emma",
    subtitle: null,
    works: ["/works/OL1W"],
    authors: ["/authors/OL1A"],
    languages: ["eng", "fre"],
    isbn: ["9780141439518"],
    publish_date: "June 1998",
    publish_year: 1998,
    number_of_pages: 512,
    covers: [5, -1],
    publishers: [],
    revision: 3,
    json: edition.json,
  });
});

it("times keep their microseconds", () => {
  const created = TABLES.works.find(({ name }) => name === "created");
  const of = (value: unknown) => created?.of(dumped({ key: "/works/OL1W", created: value }));
  expect(of(time("2008-04-01T03:28:50.625462"))).toBe(1_207_020_530_625_462n);
  expect(of(time("1969-12-31T23:59:59.000001"))).toBe(-999_999n);
  expect([of(time("soon")), of(7), of(undefined)]).toEqual([undefined, undefined, undefined]);
});

it.each(Object.entries(TABLES))("%s accept records with unexpected values", async (table, columns) => {
  const name = table as keyof typeof TABLES;
  const odd = [7, "text", "\ud800", null, [null, 1.5, {}, ["x"]], { key: 5, value: [] }, true].map(
    (value, n) =>
      dumped({ ...Object.fromEntries(columns.map((column) => [column.name, value])), key: `/odd/${n}` }),
  );
  const { bytes, page } = writeRows(name, odd, { size: 0, page: undefined });
  const { rows } = await readParquet(Buffer.concat([bytes, writeEnd(name, [page], bytes.length)]));
  expect(rows.map(({ key }) => key)).toEqual(odd.map(({ key }) => key));
});
