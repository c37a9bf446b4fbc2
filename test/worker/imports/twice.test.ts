import { describe, it } from "vitest";
import type { ImportRecord } from "../../../src/import/record.ts";
import { expectSecondImportUnchanged } from "../../support/worker/import-twice.ts";
import { languagesOf } from "../../support/worker/importing.ts";
import { ownLibraryRecords } from "../../support/worker/library-files.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

const BOOK: ImportRecord = {
  title: "The sea at night",
  authors: [{ name: "Ann Author" }],
  publishers: ["Press"],
  publish_date: "1999",
  source_records: ["marc:file:0:100"],
};
/** Each is matched by something else, or has members that an import normalises. */
const RECORDS: readonly ImportRecord[] = [
  BOOK,
  { ...BOOK, isbn_10: ["0-14-143966-3"], publish_date: "2003", source_records: ["marc:file:1:100"] },
  { ...BOOK, lccn: ["agr 25-3"], publish_date: "1925", source_records: ["marc:file:2:100"] },
  {
    ...BOOK,
    title: "The sea : poems / by Ann Author",
    subtitle: "poems",
    languages: ["eng", "fre"],
    subjects: ["Sea", "sea", "Poetry."],
    description: "Poems about the sea.",
    source_records: ["marc:file:3:100"],
  },
  {
    title: "Das Meer",
    authors: [{ name: "Müller, Jörg", birth_date: "1901", death_date: "1980" }, { name: "Ann Author" }],
    languages: ["ger"],
    translated_from: ["eng"],
    source_records: ["ia:dasmeer00muel"],
  },
  { title: "Annual report", publishers: ["Board of Health"], source_records: ["marc:file:5:100"] },
  { title: "Annual report", publish_date: "1931", source_records: ["marc:file:6:100", "ia:annual1931"] },
  { title: "Ω ".repeat(300), publishers: ["Press"], source_records: ["marc:file:7:100"] },
];

describe("a second import", () => {
  it("changes nothing", async () => {
    const records = [...RECORDS, ...(await ownLibraryRecords())];
    await service.loadUnindexed(...languagesOf(records));
    await expectSecondImportUnchanged(records);
  });
});
