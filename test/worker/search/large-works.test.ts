import { beforeAll, describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const WORKS = Array.from({ length: 12 }, (_, index) => index + 1);
/** 400 kB a work, and three times as much with the fields that are made of them. */
const SUBJECTS = Array.from({ length: 40 }, (_, index) => `${index} ${"long subject ".repeat(760)}`);

beforeAll(async () => {
  await service.loadUnindexed(author(1));
  for (const number of WORKS) {
    const own = SUBJECTS.map((subject) => `${number} ${subject}`);
    await service.loadUnindexed(
      work(number, { title: "Large", authors: [1], subjects: own }),
      edition(number, { title: "Large", work: number, subjects: own }),
    );
  }
  await indexAll();
});

describe("searches of large works", () => {
  it.each([
    "/search.json?q=large&fields=*&limit=1000",
    "/search.json?q=large&fields=*,editions&limit=1000",
    "/search.json?q=large&fields=*&limit=1000&sort=new",
    "/search.json?q=large&fields=key,subject,subject_facet&limit=1000",
  ])("answers 413 for a response that is too large: %s", async (path) => {
    const response = await service.fetch(path);
    expect([response.status, await response.json()]).toEqual([
      413,
      { error: "too_large", message: expect.stringContaining("Request fewer records.") },
    ]);
  });

  it.each([
    "/search.json?q=large&fields=*&limit=2",
    "/search.json?q=large&limit=1000",
    "/search.ris?q=large&limit=2",
  ])("answers fewer works or fields: %s", async (path) => {
    const response = await service.fetch(path);
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });
});
