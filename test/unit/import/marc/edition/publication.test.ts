import { describe, expect, it } from "vitest";
import { edition } from "./marc-lines.ts";

describe("publication", () => {
  it("is that of all fields 260", () => {
    expect(
      edition("260   ‡aBoston :‡bWells ;‡aNew-York :‡bE. Bliss,", "260   ‡a[Oslo] :‡b[Forlag]", "264  1‡bX"),
    ).toEqual({
      publishers: ["Wells", "E. Bliss", "Forlag"],
      publish_places: ["Boston", "New-York", "Oslo"],
    });
  });

  it("Q312: comes from the first 264 otherwise", () => {
    expect(edition("264  1‡aParis‡bUn", "264  2‡aLyon‡bDeux")).toEqual({
      publishers: ["Un"],
      publish_places: ["Paris"],
    });
  });

  it("comes from an unlinked field in another script last", () => {
    const other = "880   ‡6260-00‡aאור יהודה‡bכנרת";
    expect(edition(other)).toEqual({ publishers: ["כנרת"], publish_places: ["אור יהודה"] });
    expect(edition(other, "264  1‡bX")).toEqual({ publishers: ["X"] });
  });

  it.each([
    ["‡b[s.n.],", { publishers: ["[s.n.]"] }],
    ["‡bS.N", { publishers: ["[s.n.]"] }],
    ["‡b :‡bX", { publishers: ["X"] }],
    ["‡a[S.l. :", { publish_places: ["[s.l.]"] }],
    ["‡a[San Francisco?] :", { publish_places: ["San Francisco?"] }],
    ["‡a[Boston :", { publish_places: ["Boston"] }],
    ["‡aA [B] C]", { publish_places: ["A [B] C"] }],
    ["‡a[", {}],
    ["‡a :‡aOslo", {}],
    ["‡aOslo‡a :", { publish_places: ["Oslo"] }],
  ])("%s gives %j", (subfields, members) => expect(edition(`260   ${subfields}`)).toEqual(members));

  it("has an edition", () => {
    expect(edition("250   ‡a2nd ed. /‡brev.‡6x", "250   ‡a[1st ed.]")["edition_name"]).toBe(
      "2nd ed. / rev. [1st ed.",
    );
    expect(edition("250   ‡a[1st ed.]")["edition_name"]).toBe("1st ed.");
  });

  it.each([
    ["‡axx, 1065 , [57] p. :‡b300 ill.", "xx, 1065 , [57] p.", 1065],
    ["‡a1,204 pages ;", "1,204 pages", 1204],
    ["‡a2 v. (12,34 p.)", "2 v. (12,34 p.)", 1234],
    ["‡a8 p. :", "8 p.", undefined],
    ["‡a50000 p., 49999 p.", "50000 p., 49999 p.", 49_999],
    ["‡a320,‡a11 p.", "320, 11 p.", 320],
    ["‡a00 p.", "00 p.", 0],
  ])("%s is the extent %j of %j pages", (subfields, pagination, number_of_pages) => {
    expect(edition(`300   ${subfields}`)).toEqual({ pagination, number_of_pages });
  });

  it("has each series once", () => {
    expect(
      edition(
        "830  0‡aOne ;‡v3",
        "490 1 ‡aOne ;‡v3.",
        "490 1 ‡aTwo‡x1234",
        "440  0‡aThree.‡v.",
        "490 1 ‡a ;",
      ),
    ).toEqual({ series: ["Three", "One -- 3", "Two"] });
  });
});
