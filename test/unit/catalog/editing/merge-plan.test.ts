import { expect, it } from "vitest";
import { alikeWorks } from "../../../../src/catalog/editing/merge-plan.ts";

const titles = (...all: string[]) =>
  alikeWorks(all.map((title, number) => ({ title, number }))).map((group) =>
    group.map(({ number }) => number),
  );

it("groups works whose titles are one title", () => {
  expect(titles("The Hobbit", "Emma", "hobbit", "Hobbit [electronic resource]", "emma")).toEqual([
    [0, 2, 3],
    [1, 4],
  ]);
});

it("leaves alone what has no like, and what has no title", () => {
  expect(titles("One", "Two", "", "", "!!!", "???")).toEqual([]);
});
