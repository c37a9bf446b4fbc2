import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { loadBooks } from "../../../support/worker/books.ts";
import { testService } from "../../../support/worker/service.ts";

const service = testService();
const asked = vi.spyOn(globalThis, "fetch");

beforeAll(() => loadBooks(service));

afterAll(() => {
  asked.mockRestore();
});

it.each([
  ["/search.json?q=hobbit", 1],
  ["/search.json?q=the+hobbit&language=eng", 1],
  ["/search.json?q=tolkien&sort=new", 1],
  ["/search.json?q=hobbit&fields=key,editions", 3],
  ["/search/authors.json?q=j+r+r+tolkien", 1],
  ["/works/_autocomplete?q=the+hob", 1],
  ["/works/_autocomplete?q=hobbit", 2],
])("%s asks Solr %i times", async (path, times) => {
  // Which generation answers, and how long names are on average, is asked once in a while.
  const found = Object(await service.json(path));
  expect(found.docs ?? found).not.toEqual([]);
  asked.mockClear();
  expect(await service.json(path)).toEqual(found);
  expect(asked).toHaveBeenCalledTimes(times);
});
