import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createCompletionSource } from "../../../src/db/search/complete-sql.ts";
import { POPULAR_TITLES_MAX, completeText } from "../../../src/search/engine/complete-text.ts";
import { applyTo, at, testWork } from "../../support/worker/index-documents.ts";

const index = { database: env.SEARCH, generation: "a", prefix: "OL" } as const;
const COMMON = POPULAR_TITLES_MAX + 100;

const work = (number: number, title: string, editions: number, version = 1) =>
  at(
    version,
    testWork({ number, members: { title }, editions: Array.from({ length: editions }, () => ({ title })) }),
  );

async function complete(text: string, limit = 5): Promise<number[]> {
  const completion = { scheme: "work", text, limit, filters: [] } as const;
  const documents = await completeText(createCompletionSource(index), completion, async () => undefined);
  return documents.map(({ key }) => Number(String(key).replace(/\D/g, "")));
}

beforeAll(async () => {
  const common = Array.from({ length: COMMON }, (_empty, place) =>
    work(1 + place, `The River of Night ${place}`, 2),
  );
  for (let start = 0; start < COMMON; start += 50) {
    await applyTo("a", { works: common.slice(start, start + 50) });
  }
  await applyTo("a", {
    works: [
      work(1001, "River Song", 0),
      work(1002, "Rivers", 1),
      work(1003, "Running River", 0),
      work(1004, "Night of the River", 30),
      work(1005, "Riverside", 0),
      work(1006, "Silver Bells", 0),
      work(1007, "Old Silver", 3),
    ],
  });
});

describe("autocomplete of words that many titles have", () => {
  it.each<[string, number[]]>([
    // Titles that begin with the text come first, then the most popular ones.
    ["riv", [1002, 1001, 1005, 1004, 1]],
    ["river", [1002, 1001, 1005, 1004, 1]],
    ["river s", [1001]],
    // Q841: "River Song" begins with a form of the word, but is not among the most popular titles.
    ["rivers", [1002, 1005, 1004, 1, 2]],
    ["silvers", [1006, 1007]],
    ["running riv", [1003]],
    ["night o", [1004, 1, 2, 3, 4]],
    ["the riv", [1, 2, 3, 4, 5]],
    ["the river of night 39", [40, 391, 392, 393, 394]],
    ["the r", [1004, 1, 2, 3, 4]],
    ["night riv", [1004, 1, 2, 3, 4]],
  ])("%s", async (text, expected) => expect(await complete(text)).toEqual(expected));

  it("has no title that began with the text before it was changed", async () => {
    await applyTo("a", { works: [work(1005, "Seaside", 0, 2)] });
    expect(await complete("riv")).toEqual([1002, 1001, 1004, 1, 2]);
    expect(await complete("riverside")).toEqual([]);
  });
});
