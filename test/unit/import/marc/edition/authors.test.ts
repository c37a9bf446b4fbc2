import { describe, expect, it } from "vitest";
import { edition } from "./marc-lines.ts";

const authors = (...lines: string[]) => edition(...lines)["authors"];

describe("authors", () => {
  it("are persons, then organisations, then events", () => {
    expect(
      authors(
        "111 2 ‡aConference‡n(7th :‡d1991 :‡cRio)",
        "710 2 ‡aActon Press.‡bDept. of Maps.",
        "700 1 ‡aLast, L.",
        "110 2 ‡aChurch",
        "100 1 ‡aFirst, F.",
      ),
    ).toEqual([
      { name: "Last, L.", entity_type: "person" },
      { name: "First, F.", entity_type: "person" },
      { name: "Acton Press. Dept. of Maps", entity_type: "org" },
      { name: "Church", entity_type: "org" },
      { name: "Conference (7th 1991 Rio)", entity_type: "event" },
    ]);
  });

  it("Q317: exclude further events and names without control", () => {
    expect(edition("711 2 ‡aConference", "720   ‡aSomebody")).toEqual({});
  });

  it("have the details of their field", () => {
    expect(
      authors(
        "100 0 ‡aJohn Paul‡bII,‡cPope,‡d1920-2005,‡eauthor.‡q(Karol)‡0(isni)0000000123456789‡0(DE-101c)118‡0x",
      ),
    ).toEqual([
      {
        name: "John Paul II Pope",
        personal_name: "John Paul",
        numeration: "II",
        title: "Pope",
        entity_type: "person",
        birth_date: "1920",
        death_date: "2005",
        role: "author.",
        remote_ids: { isni: "0000000123456789", gnd: "118" },
      },
    ]);
  });

  it("have identifiers of the Library of Congress", () => {
    const naf = "http://id.loc.gov/authorities/names/n79021164";
    expect(authors(`100 1 ‡aTwain, Mark‡0${naf}.html`)).toMatchObject([
      { remote_ids: { lc_naf: "n79021164" } },
    ]);
    expect(authors("100 1 ‡aTwain, Mark‡0http://id.loc.gov/authorities/names/x1")).toEqual([
      { name: "Twain, Mark", entity_type: "person" },
    ]);
  });

  // Q775
  it.each([
    ["0(DLC)n  79021164", "lc_naf", "n79021164"],
    ["0(DLC)no2008123456", "lc_naf", "no2008123456"],
    ["1http://id.loc.gov/rwo/agents/n79021164", "lc_naf", "n79021164"],
    ["0https://id.loc.gov/authorities/names/n79021164", "lc_naf", "n79021164"],
    ["0n  79021164", "lc_naf", "n79021164"],
    ["0(DE-588)118503782", "gnd", "118503782"],
    ["0(DE-588a)11850378X", "gnd", "11850378X"],
    ["0https://d-nb.info/gnd/118503782", "gnd", "118503782"],
    ["1(uri)http://d-nb.info/gnd/118503782/about", "gnd", "118503782"],
    ["0(viaf)12345", "viaf", "12345"],
    ["1http://viaf.org/viaf/12345", "viaf", "12345"],
    ["1https://www.viaf.org/viaf/12345/", "viaf", "12345"],
    ["0(ISNI)0000 0001 2162 2683", "isni", "0000000121622683"],
    ["1https://isni.org/isni/000000012162268x", "isni", "000000012162268X"],
    ["1http://www.isni.org/0000-0001-2162-2683", "isni", "0000000121622683"],
    ["1http://www.wikidata.org/entity/Q42", "wikidata", "Q42"],
    ["0https://www.wikidata.org/wiki/Q42", "wikidata", "Q42"],
    ["0(wikidata)Q42", "wikidata", "Q42"],
    ["1https://orcid.org/0000-0002-1825-0097", "orcid", "0000-0002-1825-0097"],
    ["1http://catalogue.bnf.fr/ark:/12148/cb118880922", "bnf", "118880922"],
  ])("have the number of ‡%s", (subfield, source, id) => {
    expect(authors(`700 1 ‡aTwain, Mark‡${subfield}`)).toMatchObject([{ remote_ids: { [source]: id } }]);
  });

  it.each(["0(DLC)sh 85012345", "0http://id.loc.gov/authorities/subjects/sh85012345", "0(OCoLC)fst00012345"])(
    "have no number of ‡%s",
    (subfield) =>
      expect(authors(`700 1 ‡aTwain, Mark‡${subfield}`)).toEqual([
        { name: "Twain, Mark", entity_type: "person" },
      ]),
  );

  it.each([
    ["‡eill.", "Illustrator"],
    ["‡4edt‡ewriter", "Editor"],
    ["‡4aut‡4ill", "aut ill"],
    ["‡e[ed.]", "Editor"],
    ["‡eeditor,‡ecompiler.", "editor compiler."],
  ])("%s is the role %j", (subfields, role) => {
    expect(authors(`700 1 ‡aDoe, J.${subfields}`)).toEqual([
      { name: "Doe, J.", entity_type: "person", role },
    ]);
  });

  it("need a name or a title; persons with one name are merged", () => {
    expect(edition("100 1 ‡bIII‡d1900-", "700 1 ‡a[,", "710 2 ‡t/", "111 2 ‡eSection")).toEqual({});
    expect(authors("100 0 ‡bROBA‡c1")).toMatchObject([{ name: "ROBA 1", numeration: "ROBA", title: "1" }]);
    expect(authors("700 1 ‡aDoe, J.‡eed.", "700 1 ‡aDoe, J.,‡eill.", "710 2 ‡aA", "710 2 ‡aA")).toEqual([
      { name: "Doe, J.", entity_type: "person", role: "Editor" },
      { name: "A", entity_type: "org" },
      { name: "A", entity_type: "org" },
    ]);
  });

  it("Q314: have the name in their own script", () => {
    expect(
      authors(
        "700 1 ‡6880-03‡aHayashiya, Tatsusaburō,‡d1914-",
        "710 2 ‡6880-04‡aDa xue‡bZhong xin",
        "700 1 ‡6880-05‡aNobody",
        "710 2 ‡6880-06‡aNo one",
        "880 1 ‡6700-03/$1‡a林屋 辰三郎,",
        "880 1 ‡6100-05/$1‡a誰",
        "880 2 ‡6710-04/$1‡a大学.‡b中心",
      ),
    ).toEqual([
      {
        name: "林屋 辰三郎",
        alternate_names: ["Hayashiya, Tatsusaburō"],
        birth_date: "1914",
        entity_type: "person",
      },
      { name: "Nobody", entity_type: "person" },
      { name: "大学. 中心", alternate_names: ["Da xue Zhong xin"], entity_type: "org" },
      { name: "No one", entity_type: "org" },
    ]);
  });
});

describe("dates of an author", () => {
  it.each([
    ["‡d1914-1998.", { birth_date: "1914", death_date: "1998" }],
    ["‡d1954-", { birth_date: "1954" }],
    ["‡d-1954", { death_date: "1954" }],
    ["‡d[1900-1990] [from old catalog]", { birth_date: "1900", death_date: "1990" }],
    ["‡d70-19 B.C.", { birth_date: "70 B.C.", death_date: "19 B.C." }],
    ["‡d27 B.C.-14 A.D.", { birth_date: "27 B.C.", death_date: "14 A.D." }],
    ["‡dca.1500-ca. 1560", { birth_date: "ca. 1500", death_date: "ca. 1560" }],
    ["‡dl838-l926", { birth_date: "1838", death_date: "1926" }],
    ["‡d1900-1910-1920", { birth_date: "1900" }],
    ["‡dMrs.‡d1839-", { birth_date: "1839" }],
    ["‡d4th/5th cent.", { date: "4th/5th cent." }],
    ["‡dl2th cent.", { date: "12th cent." }],
    ["‡d4th-5th cent.", { birth_date: "4th", death_date: "5th cent." }],
    // Q316
    ["‡db. 1940", { date: "b. 1940" }],
    ["‡dd. 1899.", { date: "d. 1899" }],
    ["‡dfl. 1500-1510", { date: "fl. 1500-1510" }],
    ["‡d8th century", { date: "8th century" }],
    ["‡d-", {}],
    ["‡d,", {}],
  ])("%s is %j", (subfields, dates) => {
    expect(authors(`100 1 ‡aDoe, J.${subfields}`)).toEqual([
      { name: "Doe, J.", entity_type: "person", ...dates },
    ]);
  });
});
