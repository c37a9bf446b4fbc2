import { describe, expect, it } from "vitest";
import {
  isOffered,
  namedObservation,
  observationMetrics,
  observationsByLabel,
} from "../../../../src/catalog/patrons/observations.ts";
import { OBSERVATION_TYPES } from "../../../../src/catalog/patrons/vocabulary.ts";

describe("the vocabulary", () => {
  it("has 21 types, each with values whose numbers and names are its own", () => {
    expect(OBSERVATION_TYPES.map(({ id }) => id)).toEqual(
      Array.from({ length: 21 }, (_, index) => index + 1),
    );
    for (const { label, question, values } of OBSERVATION_TYPES) {
      expect([label, new Set(values.map(({ id }) => id)).size]).toEqual([label, values.length]);
      expect(new Set(values.map(({ name }) => name)).size).toBe(values.length);
      expect(values.every(({ id, name }) => id > 0 && name.trim() !== "")).toBe(true);
      expect(question).toMatch(/\?$/);
    }
    const sizes = OBSERVATION_TYPES.map(({ values }) => values.length);
    expect(sizes).toEqual([7, 9, 13, 5, 5, 12, 5, 13, 8, 33, 3, 7, 26, 14, 12, 3, 11, 11, 8, 5, 9]);
  });

  it("withdraws some types, and some values of others", () => {
    const retired = OBSERVATION_TYPES.filter(({ isRetired }) => isRetired).map(({ id }) => id);
    expect(retired).toEqual([4, 5, 7, 9, 11, 12, 15]);
    const single = OBSERVATION_TYPES.filter(({ isSingle }) => isSingle).map(({ id }) => id);
    expect(single).toEqual([4, 5, 7, 11]);
  });

  it("is looked up by label and name", () => {
    const found = namedObservation("Features", "Tables, diagrams, and figures");
    expect([found?.type.id, found?.value.id, found && isOffered(found)]).toEqual([18, 1, true]);
    const old = namedObservation("Pace", "Slow");
    expect(old && isOffered(old)).toBe(false);
    const gone = namedObservation("Audience", "Baby");
    expect(gone && isOffered(gone)).toBe(false);
    expect(namedObservation("Pace", "Dark")).toBeUndefined();
    expect(namedObservation("pace", "Slow")).toBeUndefined();
  });
});

describe("own observations", () => {
  it("stand in the order of the vocabulary; what it lacks is left out", () => {
    const codes = [
      { type: 16, value: 3 },
      { type: 13, value: 9 },
      { type: 13, value: 7 },
      { type: 99, value: 1 },
      { type: 13, value: 99 },
      { type: 3, value: 6 },
    ];
    expect(observationsByLabel(codes)).toEqual({
      Clarity: ["Succinct"],
      Mood: ["Dark", "Tense"],
      Length: ["Long"],
    });
    expect(Object.keys(observationsByLabel(codes))).toEqual(["Clarity", "Mood", "Length"]);
    expect(observationsByLabel([])).toEqual({});
  });
});

describe("metrics", () => {
  it("have the most frequent value first, and nothing that was withdrawn", () => {
    const metrics = observationMetrics(27482, {
      respondents: 9,
      types: new Map([
        [1, 4],
        [4, 2],
        [14, 3],
      ]),
      values: new Map([
        ["1.4", 1],
        ["1.6", 3],
        ["1.7", 1],
        ["1.1", 8],
        ["4.2", 2],
        ["14.1", 3],
      ]),
    });
    expect(metrics).toMatchObject({ work_id: "27482", total_respondents: 9 });
    expect(metrics.observations).toEqual([
      {
        label: "Pace",
        description: expect.any(String),
        multi_choice: true,
        total_respondents_for_type: 4,
        values: [
          { value: "Fast paced", count: 3 },
          { value: "Slow paced", count: 1 },
          { value: "Meandering", count: 1 },
        ],
        total_responses: 5,
      },
      expect.objectContaining({ label: "Impressions", values: [{ value: "Recommend", count: 3 }] }),
    ]);
  });
});
