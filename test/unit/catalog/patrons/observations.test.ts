import { describe, expect, it } from "vitest";
import {
  isOffered,
  findObservation,
  observationMetricsOf,
  groupObservationsByLabel,
} from "../../../../src/catalog/patrons/observations.ts";

describe("the vocabulary", () => {
  it("is looked up by label and name", () => {
    const found = findObservation("Features", "Tables, diagrams, and figures");
    expect([found?.type.id, found?.value.id, found && isOffered(found)]).toEqual([18, 1, true]);
    const old = findObservation("Pace", "Slow");
    expect(old && isOffered(old)).toBe(false);
    const gone = findObservation("Audience", "Baby");
    expect(gone && isOffered(gone)).toBe(false);
    expect(findObservation("Pace", "Dark")).toBeUndefined();
    expect(findObservation("pace", "Slow")).toBeUndefined();
  });
});

describe("groupObservationsByLabel", () => {
  it("sorts by vocabulary and skips unknown codes", () => {
    const codes = [
      { type: 16, value: 3 },
      { type: 13, value: 9 },
      { type: 13, value: 7 },
      { type: 99, value: 1 },
      { type: 13, value: 99 },
      { type: 3, value: 6 },
    ];
    expect(groupObservationsByLabel(codes)).toEqual({
      Clarity: ["Succinct"],
      Mood: ["Dark", "Tense"],
      Length: ["Long"],
    });
    expect(Object.keys(groupObservationsByLabel(codes))).toEqual(["Clarity", "Mood", "Length"]);
    expect(groupObservationsByLabel([])).toEqual({});
  });
});

describe("observationMetricsOf", () => {
  it("puts frequent values first and skips retired types", () => {
    const metrics = observationMetricsOf(27482, {
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
