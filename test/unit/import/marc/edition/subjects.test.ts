import { describe, expect, it } from "vitest";
import { tidyPlace, tidySubject } from "../../../../../src/import/marc/edition/subjects.ts";
import { edition } from "./marc-lines.ts";

describe("subjects", () => {
  it("are sorted by kind; organisations, events and works come last", () => {
    expect(
      edition(
        "630 00‡aBible.‡pGenesis‡xCommentaries.",
        "610 20‡aRoyal Society‡bCouncil.‡xHistory.",
        "611 20‡aOlympic Games‡n(30th :‡d2012)‡vPeriodicals‡2fast",
        "650  0‡aAuthors, American‡y19th century‡zFrance‡vBiography.",
        "651  0‡aWest Indies, British‡xHistory",
        "630 00‡aKoran",
        "648  7‡a1900-1999‡xArt",
        "662   ‡aWorld‡zParis.",
        "653   ‡aFree",
        "655  7‡aNovels.",
      ),
    ).toEqual({
      subjects: [
        "Commentaries",
        "History",
        "Periodicals",
        "American Authors",
        "Biography",
        "Art",
        "Bible",
        "Koran",
        "Royal Society Council",
        "Olympic Games (30th : 2012) fast",
      ],
      subject_places: ["France", "British West Indies", "Paris"],
      subject_times: ["19th century"],
    });
  });

  it.each([
    ["‡aTwain, Mark,‡d1835-1910.", "Mark Twain (1835-1910)"],
    ["‡aNapoleon‡bI,‡cEmperor,‡d1769-1821", "Napoleon I Emperor (1769-1821)"],
    ["‡aBonaparte family.", "Bonaparte family"],
    ["‡aOvid, d. 17", "Ovid, d. 17"],
    ["‡cPope‡aAdam, von, Eva", "Pope von, Eva Adam"],
  ])("%s is the person %j", (subfields, person) => {
    expect(edition(`600 10${subfields}`)["subject_people"]).toEqual([person]);
  });

  it("are listed once each", () => {
    expect(edition("650  0‡aCats.‡xcats", "650  2‡acats", "610 20‡aCats", "600 10‡a.‡v ")).toEqual({
      subjects: ["Cats"],
      subject_people: ["."],
    });
  });
});

describe("headings", () => {
  it.each([
    [" cats. ", "Cats"],
    ["x", "x"],
    ["\u{10428}b", "\u{10400}b"],
    ["Cats, dogs, etc.", "Cats, dogs"],
    ["Cats ETC,", "Cats"],
    ["Cats,. etc", "Cats"],
    ["Etc", "Etc"],
    [", etc", ","],
    ["Fetch etcetera", "Fetch etcetera"],
    ["History, Military", "Military History"],
    ["History , Military", "Military History"],
    // Q319
    ["Apple Computer, Inc.", "Inc Apple Computer"],
    ["Revolution, 1775", "Revolution, 1775"],
    ["History, military", "History, military"],
    ["A, B", "A, B"],
    ["One, Two, Three", "One, Two, Three"],
    ["Rhodes, Dan (Fictitious character)", "Dan Rhodes (Fictitious character)"],
    ["Doe, J., Sir (a) ( character)", "Sir (a) Doe, J. ( character)"],
    ["Doe, (x character)", "Doe, (x character)"],
  ])("%j becomes %j", (text, heading) => expect(tidySubject(text)).toBe(heading));

  it.each([
    ["Africa, South.", "South Africa"],
    ["Paris, Seine, France", "France Paris, Seine"],
    ["London (England), East", "London (England), East"],
    [", Paris", ", Paris"],
    ["Paris, ", "Paris,"],
  ])("the place %j becomes %j", (text, place) => expect(tidyPlace(text)).toBe(place));
});
