import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { patchCounts } from "../../../src/db/indexing/patch-works.ts";
import { rebuildSubjects } from "../../../src/db/indexing/subjects.ts";
import type { AuthorDocument, WorkDocument } from "../../../src/search/documents/types.ts";
import type { Update, Versioned } from "../../../src/search/engine.ts";
import { applyTo, at, clearGeneration, searchRows, testWork } from "../../support/worker/index-documents.ts";
import { type Random, randomFrom } from "../../support/worker/random.ts";

const WORKS = 60;
const AUTHORS = [1, 2, 3];
/** Ties are decided by the bytes of UTF-8, which order the last two otherwise than UTF-16 does. */
const PLACES = ["Rome", "Łódź", "\u{1F30D}", "\uFF32ome"];

beforeEach(() => clearGeneration("a"));

function authorDocument(number: number): AuthorDocument {
  return { key: `/authors/OL${number}A`, type: "author", name: `Author ${number}` };
}

/** A work with few frequent subjects and many rare ones, so that authors have more than a tally holds. */
function randomWork(random: Random, number: number): WorkDocument {
  const some = <Value>(most: number, make: () => Value): Value[] =>
    Array.from({ length: random.below(most + 1) }, make);
  return testWork({
    number,
    members: {
      title: `Title ${random.below(4)}`,
      ...(random.chance(0.3) && { subtitle: "Part" }),
      subjects: some(9, () => `Subject ${Math.floor(random.number() ** 3 * 300)}`),
      subject_places: some(2, () => random.pick(PLACES)),
    },
    editions: some(3, () => ({})),
    authors: some(2, () => random.pick(AUTHORS)),
    counts: { wantToRead: random.below(3), ratings: [0, 0, random.below(2), 0, random.below(3)] },
  });
}

/** Documents of authors with the tally, and subjects. */
async function aggregates(): Promise<unknown> {
  return {
    authors: await searchRows("SELECT id, work_count, document FROM author_a ORDER BY id"),
    subjects: await searchRows("SELECT key, work_count FROM subject_a ORDER BY key"),
  };
}

/** Recomputes them from all works. */
async function recomputed(version: number): Promise<unknown> {
  await applyTo("a", { authors: AUTHORS.map((number) => at(version, authorDocument(number))) });
  while (!(await rebuildSubjects(env.SEARCH, "a")));
  return aggregates();
}

describe("sums of authors and counts of subjects", () => {
  it.each([1, 2, 3])("are those of a full computation after random changes (seed %i)", async (seed) => {
    const random = randomFrom(seed);
    await applyTo("a", { authors: AUTHORS.map((number) => at(0, authorDocument(number))) });
    for (let version = 1; version <= 40; version += 1) {
      const numbers = random.shuffled(Array.from({ length: WORKS }, (_work, index) => index + 1));
      const count = version === 1 ? WORKS : 1 + random.below(4);
      const [some, gone] = [numbers.slice(0, count), numbers.slice(count, count + random.below(2))];
      const update: Partial<Update> = {
        // Some are older than what the index has.
        works: some.map((number): Versioned<WorkDocument> =>
          at(Math.max(1, version - random.below(3)), randomWork(random, number)),
        ),
        deletes: gone.map((number) => ({ key: `/works/OL${number}W`, version: version - random.below(2) })),
      };
      await applyTo("a", update);
      if (random.chance(0.3)) await applyTo("a", update);
      await patchCounts({ database: env.SEARCH, generation: "a", prefix: "OL" }, [
        { id: random.pick(numbers), counts: randomWork(random, 1).counts },
      ]);
      // A full computation also renews the tallies, so most changes follow others.
      if (version % 8 > 0) continue;
      const continued = await aggregates();
      expect(continued).toEqual(await recomputed(0));
    }
  });

  it("are exact when several writers change works of one author at once", async () => {
    const random = randomFrom(4);
    await applyTo("a", { authors: AUTHORS.map((number) => at(0, authorDocument(number))) });
    for (let version = 1; version <= 5; version += 1) {
      const works = Array.from({ length: 6 }, (_work, index) =>
        at(version, randomWork(random, 1 + (index % 4))),
      );
      await Promise.all(works.map((work) => applyTo("a", { works: [work] })));
    }
    const continued = await aggregates();
    expect(continued).toEqual(await recomputed(0));
  });

  it("are computed from all works for authors that were written before tallies", async () => {
    const first = testWork({ number: 1, authors: [1], members: { subjects: ["Cats"] } });
    await applyTo("a", { works: [at(1, first)], authors: [at(1, authorDocument(1))] });
    await env.SEARCH.prepare("UPDATE author_a SET tally = NULL, work_count = 7").run();
    await applyTo("a", { works: [at(2, testWork({ number: 2, authors: [1] }))] });
    expect(
      await searchRows("SELECT work_count AS works, tally ->> '$.subjects[0][1]' AS subject FROM author_a"),
    ).toEqual([{ works: 2, subject: "Cats" }]);
  });
});
