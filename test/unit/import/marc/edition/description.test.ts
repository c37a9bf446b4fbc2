import { describe, expect, it } from "vitest";
import { edition } from "./marc-lines.ts";

describe("description", () => {
  it("has notes by tag, without contents, summaries, actions and local notes", () => {
    expect(
      edition(
        "538   ‡aDisc.",
        "590   ‡aLocal",
        "500   ‡aA‡5XYZ‡bb ",
        "583   ‡aAction",
        "504   ‡aBib.",
        "500   ‡aB",
        "500   ‡6x",
      ),
    ).toEqual({ notes: "A b\n\nB\n\nBib.\n\nDisc." });
  });

  it("comes from the summary", () => {
    expect(edition("520   ‡a‡aFirst.‡bmore", "520   ‡aSecond.")).toEqual({
      description: "First.\n\nSecond.",
    });
  });

  it("has the location of the book", () => {
    expect(edition("852   ‡aMAIN‡bx", "852   ‡aMAIN‡aANNEX")).toEqual({ location: ["MAIN", "ANNEX"] });
  });

  it.each([
    ["‡uhttps://a.example/‡zNote‡yLabel ", [{ url: "https://a.example/", title: "Label" }]],
    ["‡uhttps://a.example/‡xX‡zZ‡3Part", [{ url: "https://a.example/", title: "Part" }]],
    ["‡uhttps://a.example/‡xX‡zZ", [{ url: "https://a.example/", title: "Z" }]],
    ["‡uhttps://a.example/‡xX", [{ url: "https://a.example/", title: "X" }]],
    [
      "‡uhttps://a.example/‡uhttps://b.example/",
      [
        { url: "https://a.example/", title: "External source" },
        { url: "https://b.example/", title: "External source" },
      ],
    ],
    ["‡yLabel", undefined],
    ["‡u ‡yLabel", undefined],
  ])("%s gives the links %j", (subfields, links) => {
    expect(edition(`856 40${subfields}`)["links"]).toEqual(links);
  });
});
