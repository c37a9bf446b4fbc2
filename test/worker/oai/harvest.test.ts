import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HARVEST_PAGE } from "../../../src/worker/oai/harvest.ts";
import { emptyCatalog } from "../../support/worker/desk.ts";
import { type Harvested, errorOf, harvest, listPart } from "../../support/worker/harvester.ts";
import { list } from "../../support/worker/lists.ts";
import { author, deleted, edition, redirected, work } from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";

const service = testService();
const MINUTE = 60_000;
const RECORDS = "verb=ListRecords&metadataPrefix=oai_dc";
const WORKS = HARVEST_PAGE + 50;

const catalog = new Map<string, string | null>();
const revisions = new Map<string, number>();

async function store(...records: TestRecord[]): Promise<void> {
  const revised = records.map((record) => {
    const revision = (revisions.get(record.key) ?? 0) + 1;
    revisions.set(record.key, revision);
    const isLiving = record.type === "/type/work" || record.type === "/type/edition";
    const number = record.key.slice(record.key.lastIndexOf("/") + 1);
    if (number.endsWith("W") || number.endsWith("M")) {
      catalog.set(`oai:carrel.test:${number}`, isLiving ? String(record["title"]) : null);
    }
    return { ...record, revision };
  });
  await service.loadUnindexed(...revised);
}

const kept = (records: readonly (readonly [string, Harvested])[], into = new Map<string, Harvested>()) => {
  for (const [identifier, record] of records) into.set(identifier, record);
  return into;
};
const problems = (harvested: ReadonlyMap<string, Harvested>): string[] => [
  ...[...catalog].flatMap(([identifier, title]) => {
    const record = harvested.get(identifier);
    if (record === undefined) return title === null ? [] : [`${identifier} is missing`];
    if (record.isDeleted !== (title === null))
      return [`${identifier} is deleted: ${String(record.isDeleted)}`];
    return title === null || record.metadata.includes(title) ? [] : [`${identifier} is not ${title}`];
  }),
  ...[...harvested.keys()].filter((identifier) => !catalog.has(identifier)),
];

async function fill(): Promise<void> {
  await emptyCatalog();
  catalog.clear();
  revisions.clear();
  await store(
    ...Array.from({ length: WORKS }, (_work, index) => work(index + 1, { title: `First ${index + 1}.` })),
    ...Array.from({ length: WORKS }, (_edition, index) =>
      edition(index + 1, {
        work: index + 1,
        title: `Edition ${index + 1}.`,
        languages: [{ key: "/languages/eng" }],
      }),
    ),
    author(1),
  );
  service.now += 2 * MINUTE;
}

describe("a harvest in parts", () => {
  beforeAll(fill);

  it.each(["", "&set=books", "&set=works", "&set=languages~eng", "&set=languages~eng&from=2026-01-01"])(
    "has each record once%s",
    async (set) => {
      const { records } = await harvest(service, RECORDS + set);
      expect(records).toHaveLength(set === "" ? 2 * WORKS : WORKS);
      expect(kept(records).size).toBe(records.length);
    },
  );

  it("resumes by its token in another isolate, and refuses changed tokens", async () => {
    const first = await listPart(service, RECORDS);
    const token = first.token ?? "";
    expect(first.records).toHaveLength(HARVEST_PAGE);
    const later = testService();
    later.now = service.now + 30 * 24 * 60 * MINUTE;
    const next = await listPart(later, `verb=ListRecords&resumptionToken=${token}`);
    const again = await listPart(service, `verb=ListRecords&resumptionToken=${token}`);
    expect(next.records).toEqual(again.records);
    const [text = "", mac = ""] = token.split(".");
    for (const wrong of [
      `${text}x.${mac}`,
      `${text.slice(4)}.${mac}`,
      `${text}.${mac.slice(1)}`,
      `${text}.${mac}.`,
      text,
      "%00",
    ]) {
      expect(await errorOf(service, `verb=ListRecords&resumptionToken=${wrong}`)).toBe("badResumptionToken");
    }
    expect(await errorOf(service, `verb=ListIdentifiers&resumptionToken=${token}`)).toBe(
      "badResumptionToken",
    );
    const other = testService({ SESSION_SECRET: "another secret of at least 32 characters" });
    expect(await errorOf(other, `verb=ListRecords&resumptionToken=${token}`)).toBe("badResumptionToken");
  });
});

describe("a harvest of a changing catalog", () => {
  beforeEach(fill);

  it("has each record of a list once, deleted ones included", async () => {
    await store(
      deleted("/works/OL7W", 2),
      list(
        "/lists/OL1L",
        Array.from({ length: WORKS }, (_seed, index) => ({ key: `/works/OL${index + 1}W` })),
      ),
    );
    service.now += 2 * MINUTE;
    const { records } = await harvest(service, `${RECORDS}&set=lists~OL1L`);
    expect(records).toHaveLength(WORKS);
    expect([...kept(records)].filter(([, { isDeleted }]) => isDeleted).map(([id]) => id.slice(16))).toEqual([
      "OL7W",
    ]);
  });

  it.each(["", "&set=languages~eng"])(
    "under writes, with a second harvest from its date, equals the catalog%s",
    async (set) => {
      let turn = 0;
      const write = async (): Promise<void> => {
        turn += 1;
        service.now += 20_000;
        // Of what has come, what comes next, and what is new.
        await store(
          ...[1, 300, WORKS - turn].map((id) => work(id, { title: `Turn ${turn} of ${id}.` })),
          edition(WORKS + turn, { work: 1, title: `New ${turn}.`, languages: [{ key: "/languages/eng" }] }),
          edition(turn + 5, {
            work: WORKS - turn,
            title: `Moved ${turn}.`,
            languages: [{ key: "/languages/eng" }],
          }),
        );
        await store(
          deleted(`/books/OL${turn + 40}M`, 2),
          redirected(`/works/OL${WORKS - 20 - turn}W`, "/works/OL1W"),
        );
      };
      const first = await harvest(service, RECORDS + set, write);
      service.now += 2 * MINUTE;
      // Deleted records have no language, so the language set lacks them.
      const more = [set, set === "" ? "" : "&set=books"].filter((one, at) => at === 0 || one !== "");
      const harvested = kept(first.records);
      for (const each of more) {
        const next = await harvest(service, `${RECORDS}${each}&from=${first.responseDate}`);
        for (const [identifier, record] of next.records) {
          if (each === set || record.isDeleted) harvested.set(identifier, record);
        }
      }
      expect(turn).toBeGreaterThan(1);
      if (set !== "")
        for (const identifier of catalog.keys()) if (identifier.endsWith("W")) catalog.delete(identifier);
      expect(problems(harvested)).toEqual([]);
    },
  );

  it("ends without a record when all remaining records changed (Q595)", async () => {
    const until = new Date(service.now).toISOString().replace(/\.\d+/, "");
    const first = await listPart(service, `${RECORDS}&set=works&until=${until}`);
    await store(...Array.from({ length: WORKS }, (_work, index) => work(index + 1, { title: "Anew" })));
    service.now += 2 * MINUTE;
    const last = await listPart(service, `verb=ListRecords&resumptionToken=${first.token}`);
    expect([first.records.length, last.records, last.token]).toEqual([HARVEST_PAGE, [], undefined]);
    expect((await harvest(service, `${RECORDS}&set=works`)).records).toHaveLength(WORKS);
  });
});
