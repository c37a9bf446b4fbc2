import { beforeEach, expect, it } from "vitest";
import type { Update } from "../../../src/search/engine.ts";
import { applyTo, at, clearGeneration, searchRows, testWork } from "../../support/worker/index-documents.ts";
import { randomFrom } from "../../support/worker/random.ts";

const WORKS = 8;
const VERSIONS = 3;
const SUBJECTS = ["Cats", "cats", "CATS", "Dogs", "dogs", "Paris", "Time travel"];

beforeEach(async () => {
  await clearGeneration("a");
  await clearGeneration("b");
});

/** Everything that can be asked of a generation. */
async function contents(generation: "a" | "b"): Promise<unknown[]> {
  const sql = [
    "SELECT * FROM work_# ORDER BY id",
    "SELECT * FROM work_document_# ORDER BY id",
    "SELECT * FROM work_value_# ORDER BY field, value, id",
    "SELECT * FROM edition_# ORDER BY work, rank",
    "SELECT rowid, work FROM edition_text_# ORDER BY rowid",
    "SELECT term, doc, cnt FROM work_term_# ORDER BY term",
    // The spelling of a subject's name depends on the order of changes until the next rebuild, so it is not compared.
    "SELECT key, subject_type, work_count FROM subject_# ORDER BY key",
    "SELECT id, work_count, document FROM author_# ORDER BY id",
  ].map((text) => text.replace("#", generation));
  return await Promise.all(sql.map((text) => searchRows(text)));
}

it.each([1, 2])(
  "makes the same index in any order of messages (seed %d)",
  async (seed) => {
    const random = randomFrom(seed);
    const authors = [1, 2, 3].map((number) =>
      at(1, { key: `/authors/OL${number}A`, type: "author" as const, name: `Author ${number}` }),
    );
    const some = (most: number) => Array.from({ length: random.below(most + 1) });
    const messages: Partial<Update>[] = [];
    const last = new Map<number, Partial<Update>>();
    for (let version = 1; version <= VERSIONS; version += 1) {
      for (let number = 1; number <= WORKS; number += 1) {
        const document = testWork({
          number,
          members: { title: `Title ${random.below(5)}`, subjects: some(3).map(() => random.pick(SUBJECTS)) },
          editions: some(3).map(() => ({ title: `Edition ${random.below(9)}`, lc_classifications: ["PZ1"] })),
          authors: some(2).map(() => 1 + random.below(3)),
        });
        const isDeleted = random.below(4) === 0;
        const message = isDeleted
          ? { deletes: [{ key: document.key, version }] }
          : { works: [at(version, document)] };
        messages.push(message);
        last.set(number, message);
      }
    }
    await applyTo("a", { authors });
    for (const message of [...random.shuffled(messages), ...random.shuffled(messages).slice(0, WORKS)]) {
      await applyTo("a", message);
    }
    const works = [...last.values()].flatMap((message) => message.works ?? []);
    await applyTo("b", { works });
    await applyTo("b", { authors });
    expect(await contents("a")).toEqual(await contents("b"));
  },
  60_000,
);
