import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { planIndexSearch } from "../../../src/db/search/selection.ts";
import { createWorkSource } from "../../../src/db/search/work-pages.ts";
import { countFacets } from "../../../src/db/search/facets.ts";
import type { WorkDocument } from "../../../src/search/documents/types.ts";
import { type Query, ALL, equals } from "../../../src/search/query/query.ts";
import { applyTo, at, testWork } from "../../support/worker/index-documents.ts";
import { measured } from "../../support/worker/measured.ts";
import { naiveMatch } from "../../support/worker/naive-search.ts";

const WORKS = 800;

/** Words in several fields and forms: most works have `rivers` in the title, some elsewhere only, or in both forms. */
function workOf(place: number, title = place % 5 === 0 ? "Lake" : "Rivers"): WorkDocument {
  return testWork({
    number: 1 + place,
    members: {
      title,
      ...(place % 40 === 5 && { first_sentence: "Of rivers" }),
      ...(place % 16 === 1 && { subject_people: ["Rivers"] }),
      ...(place % 3 === 1 && { subject_people: ["London"] }),
    },
    editions: [
      {
        languages: [{ key: place % 4 === 0 ? "/languages/ger" : "/languages/eng" }],
        ...(place % 3 !== 0 && { publish_places: ["London"] }),
      },
    ],
  });
}

const works = Array.from({ length: WORKS }, (_empty, place) => workOf(place));
const word = (text: string, field: string | null = null): Query => ({
  op: "match",
  field,
  value: { kind: "word", text },
  boost: 1,
});
let version = 0;

function write(changed: readonly WorkDocument[], deleted: readonly WorkDocument[] = []) {
  version += 1;
  const deletes = deleted.map(({ key }) => ({ key, version }));
  return applyTo("a", { works: changed.map((work) => at(version, work)), deletes });
}

beforeAll(() => write(works));

async function countOf(query: Query) {
  const [sums, database] = measured(env.SEARCH);
  const index = { database, generation: "a", prefix: "OL" } as const;
  const { all } = await planIndexSearch(index, { query, filters: [], editionClauses: [] });
  const count = all === undefined ? 0 : await createWorkSource(index).count(all);
  return { count, rowsRead: sums.rowsRead };
}

describe("a count by the vocabulary", () => {
  it.each([
    ["every work", ALL, 20],
    ["a word", word("river"), 120],
    ["a word with a stem that names do not have", word("rivers"), 220],
    ["a word that most works have elsewhere", word("London"), 700],
    ["a word of a field", word("lake", "title"), 120],
    ["a word of another field", word("rivers", "person"), 300],
    ["a word that no work has", word("xyzzy"), 20],
    ["a filter", equals("language", "eng"), 20],
  ] satisfies [string, Query, number][])("is that of matching works for %s", async (_name, query, most) => {
    const expected = (current: readonly WorkDocument[]) =>
      current.filter((work) => naiveMatch(work, [query])).length;
    const before = await countOf(query);
    expect(before.count).toBe(expected(works));
    expect(before.rowsRead).toBeLessThan(most);
    const changed = works.slice(0, 200).map((_work, place) => workOf(place, "Lake"));
    await write(changed, works.slice(-100));
    expect((await countOf(query)).count).toBe(expected([...changed, ...works.slice(200, -100)]));
    await write(works);
    expect((await countOf(query)).count).toBe(expected(works));
  });

  it("is that of all works beside their facets", async () => {
    const selection = { query: ALL, filters: [], editionClauses: [] };
    const facets = [{ field: "language", limit: 1, sort: "count" as const, offset: 0, mincount: 1 }];
    const [sums, database] = measured(env.SEARCH);
    const counted = await countFacets({ database, generation: "a", prefix: "OL" }, { ...selection, facets });
    expect(counted.numFound).toBe(WORKS);
    expect(sums.rowsRead).toBeLessThan(20);
  });
});
