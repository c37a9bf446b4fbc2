import { describe, expect, it } from "vitest";
import { sortBySeriesPosition } from "../../../../src/catalog/lists/series.ts";

const ordered = (...positions: (string | undefined)[]) =>
  sortBySeriesPosition(
    positions.map((position, id) => ({ id, ...(position === undefined ? {} : { position }) })),
  ).map(({ position }) => position);

describe("sortBySeriesPosition", () => {
  const order = ["1", "2", "3", undefined, "text", "4-5", "22-23", "24-25", "1-3", "1-9"];

  it("sorts numbers, other texts, then ranges by width", () => {
    expect(ordered(...order)).toEqual(order);
    // Of two without a number the lower work comes first, so these two change places.
    const backwards = ["1", "2", "3", "text", undefined, "4-5", "22-23", "24-25", "1-3", "1-9"];
    expect(ordered(...order.toReversed())).toEqual(backwards);
  });

  // Q240
  it("treats finite decimals only as numbers", () => {
    expect(ordered("1e3", "nan", "Infinity", "", "10", "9.5", "-1", " 2 ")).toEqual([
      "-1",
      " 2 ",
      "9.5",
      "10",
      "1e3",
      "nan",
      "Infinity",
      "",
    ]);
  });

  it("breaks ties by the number of the work", () => {
    const members = [
      { id: 10, position: "1" },
      { id: 9, position: "1.0" },
      { id: 2, position: "1-2" },
      { id: 1, position: "1 - 2" },
      { id: 7 },
      { id: 6, position: "x" },
    ];
    expect(sortBySeriesPosition(members).map(({ id }) => id)).toEqual([9, 10, 6, 7, 1, 2]);
  });
});
