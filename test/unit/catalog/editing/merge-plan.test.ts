import { expect, it } from "vitest";
import { groupSimilarWorks } from "../../../../src/catalog/editing/merge-plan.ts";

const titles = (...all: string[]) =>
  groupSimilarWorks(all.map((title, number) => ({ title, number }))).map((group) =>
    group.map(({ number }) => number),
  );

it("groupSimilarWorks groups works by normalized title", () => {
  expect(titles("The Hobbit", "Emma", "hobbit", "Hobbit [electronic resource]", "emma")).toEqual([
    [0, 2, 3],
    [1, 4],
  ]);
});

it("groupSimilarWorks skips unique and empty titles", () => {
  expect(titles("One", "Two", "", "", "!!!", "???")).toEqual([]);
});
