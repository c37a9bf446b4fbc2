import type { ImportRecord } from "../../../src/import/record.ts";
import type { MarcParts } from "./build-marc.ts";

/** A record as a library would catalogue it, of a book that does not exist, and the edition that it describes. */
interface LibraryRecord extends MarcParts {
  readonly edition: ImportRecord;
}

const chapter = (title: string) => ({ title, type: "/type/toc_item" });

/** Records in UTF-8 unless they say otherwise. Together they have every field that imports read. */
export const LIBRARY_RECORDS: Readonly<Record<string, LibraryRecord>> = {
  "a book with most fields": {
    fields: [
      "001 ocm00123456 ",
      "003 OCoLC",
      "008 790412s1979    enka     b    001 0 eng  ",
      "010   ‡a   79-4711 ",
      "020   ‡a0-306-40615-2 (pbk.) :‡c£4.50",
      "020   ‡a9780306406157‡z0198526636",
      "035   ‡a(OCoLC)ocm00123456",
      "050 00‡aVK1015‡b.H37 1979",
      "082 04‡a387.1/55‡219",
      "100 1 ‡aHarbour, Edith,‡d1921-1988.",
      "245 12‡aA field guide to lighthouses :‡bkeepers, lamps & fog bells /‡cEdith Harbour ; drawings by T. Quay.",
      "250   ‡a2nd ed., rev.",
      "260   ‡aAberwick :‡bTidal Press,‡c1979.",
      "300   ‡axii, 244 p. :‡bill. ;‡c22 cm.",
      "490 1 ‡aCoasts and harbours ;‡vno. 7",
      "500   ‡aIncludes index.",
      "504   ‡aBibliography: p. [231]-236.",
      "505 0 ‡aThe first towers -- Lamps -- Bells and horns.",
      "520   ‡aHow lights were kept before electricity.",
      "600 10‡aMarsh, Daniel,‡d1780-1851.",
      "650  0‡aLighthouses‡zScotland‡xHistory‡y19th century.",
      "651  0‡aNorth Sea.",
      "700 1 ‡aQuay, Thomas,‡eill.",
      "710 2 ‡aAberwick Harbour Trust.",
      "830  0‡aCoasts and harbours ;‡vno. 7.",
      "852   ‡aABER",
      "856 41‡uhttps://lights.example/guide‡yFull text",
    ],
    edition: {
      title: "A field guide to lighthouses",
      subtitle: "keepers, lamps & fog bells",
      by_statement: "Edith Harbour ; drawings by T. Quay",
      publish_date: "1979",
      publish_country: "enk",
      languages: ["eng"],
      lccn: ["79004711"],
      isbn_10: ["0306406152", "0198526636"],
      isbn_13: ["9780306406157"],
      oclc_numbers: ["123456"],
      lc_classifications: ["VK1015 .H37 1979"],
      dewey_decimal_class: ["387.1/55"],
      authors: [
        { name: "Harbour, Edith", entity_type: "person", birth_date: "1921", death_date: "1988" },
        { name: "Quay, Thomas", entity_type: "person", role: "Illustrator" },
        { name: "Aberwick Harbour Trust", entity_type: "org" },
      ],
      publishers: ["Tidal Press"],
      publish_places: ["Aberwick"],
      edition_name: "2nd ed., rev.",
      pagination: "xii, 244 p.",
      number_of_pages: 244,
      series: ["Coasts and harbours -- no. 7"],
      notes: "Includes index.\n\nBibliography: p. [231]-236.",
      description: "How lights were kept before electricity.",
      location: ["ABER"],
      links: [{ url: "https://lights.example/guide", title: "Full text" }],
      table_of_contents: ["The first towers", "Lamps", "Bells and horns."].map(chapter),
      subjects: ["Lighthouses", "History"],
      subject_places: ["Scotland", "North Sea"],
      subject_times: ["19th century"],
      subject_people: ["Daniel Marsh (1780-1851)"],
    },
  },

  "a book in another script": {
    fields: [
      "008 690115s1968    ja                  jpn d",
      "100 1 ‡6880-01‡aAoki, Haru,‡d1931-",
      "245 10‡6880-02‡aShima no tōdai /‡cAoki Haru cho.",
      "260   ‡6880-03‡aMinato :‡bNami Shobō,‡c1968.",
      "880 1 ‡6100-01/$1‡a青木 春,‡d1931-",
      "880 10‡6245-02/$1‡a島の燈台 :‡b写真集 /‡c青木春著.",
      "880   ‡6260-03/$1‡a港 :‡b波書房,‡c1968.",
    ],
    edition: {
      title: "島の燈台",
      subtitle: "写真集",
      by_statement: "Aoki Haru cho",
      other_titles: ["Shima no tōdai"],
      publish_date: "1968",
      publish_country: "ja",
      languages: ["jpn"],
      authors: [
        {
          name: "青木 春",
          alternate_names: ["Aoki, Haru"],
          entity_type: "person",
          birth_date: "1931",
        },
      ],
      publishers: ["Nami Shobō"],
      publish_places: ["Minato"],
    },
  },

  "a book in MARC-8": {
    marc8: true,
    fields: [
      "008 590301s1958    cs                  cze  ",
      "100 1 ‡aNov\u00E2ak, Ji\u00E9r\u00E2i,‡d1890-",
      "245 10‡aMaj\u00E2ak a mo\u00E9re /‡c[P{rcaron}elo\u00E9zil] J. Nov\u00E2ak.",
      "246 3 ‡a\u001B(NmAQK\u001B(B",
      "260   ‡aPraha :‡bP\u00E9r\u00E2iboj,‡c1958.",
      "500   ‡aV\u00E2yklad: \u001Bgabc\u001Bs, H\u001Bb2\u001BsO, m\u001Bp3\u001Bs; \u001B$1!0!\u001B(B.",
    ],
    edition: {
      title: "Maják a moře",
      by_statement: "[Přeložil] J. Novák",
      other_titles: ["Маяк"],
      publish_date: "1958",
      publish_country: "cs",
      languages: ["cze"],
      authors: [{ name: "Novák, Jiří", entity_type: "person", birth_date: "1890" }],
      publishers: ["Příboj"],
      publish_places: ["Praha"],
      notes: "Výklad: αβγ, H₂O, m³; 一.",
    },
  },

  "a pamphlet without coded data": {
    fields: [
      "041 1 ‡aengger‡hlat",
      "110 1 ‡aAberwick (Port).‡bPilots' Office.",
      "111 2 ‡aCongress of Pilots‡n(3rd :‡d1904 :‡cAberwick)",
      "130 0 ‡aTide tables.‡lEnglish",
      "245 00‡aTidal tables‡h[electronic resource].",
      "246 3 ‡aTables of the tide",
      "260   ‡a[S.l. :‡bs.n.,‡cn.d.]",
      "730 0 ‡aAlmanac.",
      "740 0 ‡aTides.‡n2",
    ],
    edition: {
      title: "Tidal tables",
      physical_format: "[electronic resource]",
      work_titles: ["Tide tables English"],
      other_titles: ["Tables of the tide", "Almanac.", "Tides. 2"],
      publish_date: "[n.d.]",
      languages: ["eng", "ger"],
      translated_from: ["lat"],
      authors: [
        { name: "Aberwick (Port). Pilots' Office", entity_type: "org" },
        { name: "Congress of Pilots (3rd 1904 Aberwick)", entity_type: "event" },
      ],
      publishers: ["[s.n.]"],
      publish_places: ["[s.l.]"],
    },
  },

  "a book with headings of all kinds": {
    fields: [
      "008 010203t20012000nyu                 eng d",
      "016 7 ‡a105-77‡2DE-101",
      "022   ‡a1234-5679",
      "024 7 ‡a10.5555/fen.2‡2doi",
      "100 0 ‡aOrlan‡bII,‡cAbbot of Fenwick,‡d1140?-1203.",
      "245 14‡aThe fen chronicle.‡nPart 2,‡pThe long winter.",
      "260   ‡aNew York :‡bFen Books ;‡aLondon :‡bWash & Sons,‡cc2000.",
      "300   ‡a2 v. (1,204 p.) ;",
      "440  0‡aFen texts ;‡v3",
      "600 00‡aOrlan‡bII,‡cAbbot of Fenwick,‡d1140?-1203‡xChronicles.",
      "610 20‡aFenwick Abbey.‡bLibrary‡vCatalogs.",
      "611 20‡aFen Fair‡d1199.",
      "630 00‡aPsalter.",
      "648  7‡a1100-1199‡xChurch history",
      "650  0‡aManuscripts, Latin.",
      "650  0‡aEels, frogs, etc.",
      "651  0‡aAnglia, East‡yTo 1500.",
      "700 1 ‡aReed, Anna,‡4edt‡0(isni)0000000012345678‡0(DE-101c)118000000",
    ],
    edition: {
      title: "The fen chronicle",
      subtitle: "Part 2 : The long winter",
      publish_date: "2001",
      copyright_date: "2000",
      publish_country: "nyu",
      languages: ["eng"],
      identifiers: { dnb: ["105-77"], doi: ["10.5555/fen.2"], issn: ["1234-5679"] },
      authors: [
        {
          name: "Orlan II Abbot of Fenwick",
          personal_name: "Orlan",
          numeration: "II",
          title: "Abbot of Fenwick",
          entity_type: "person",
          birth_date: "1140?",
          death_date: "1203",
        },
        {
          name: "Reed, Anna",
          entity_type: "person",
          role: "Editor",
          remote_ids: { isni: "0000000012345678", gnd: "118000000" },
        },
      ],
      publishers: ["Fen Books", "Wash & Sons"],
      publish_places: ["New York", "London"],
      pagination: "2 v. (1,204 p.)",
      number_of_pages: 1204,
      series: ["Fen texts -- 3"],
      subjects: [
        "Chronicles",
        "Catalogs",
        "Church history",
        "Latin Manuscripts",
        "Eels, frogs",
        "Fenwick Abbey. Library",
        "Fen Fair 1199",
        "Psalter",
      ],
      subject_places: ["East Anglia"],
      subject_times: ["To 1500"],
      subject_people: ["Orlan II Abbot of Fenwick (1140?-1203)"],
    },
  },

  "a collection with an empty title": {
    fields: [
      "008 160512s2015    no                  nor d",
      "240 10‡aIce and thaw.‡lNorwegian",
      "245 00‡a /",
      "264  1‡aOslo :‡bFjord forlag,‡c2015.",
      "264  2‡aBergen :‡bNordlys,‡c2016.",
      "505 00‡tIce /‡rA. Floe --‡tThaw /‡rB. Berg.",
      "720   ‡aFloe, A.",
      "856 42‡uhttps://ice.example/‡uhttps://thaw.example/",
    ],
    edition: {
      title: "Ice and thaw",
      publish_date: "2015",
      publish_country: "no",
      languages: ["nor"],
      publishers: ["Fjord forlag"],
      publish_places: ["Oslo"],
      // Q318: the last entry of a field is joined in its own way.
      table_of_contents: ["Ice  -- A. Floe", "Thaw -- B. Berg."].map(chapter),
      links: ["https://ice.example/", "https://thaw.example/"].map((url) => ({
        url,
        title: "External source",
      })),
    },
  },
};

/** Fields of further invented books, for imports into a catalog that may know the book already. */
export const BOOKS = {
  /** One book as two libraries have it: the second one knows its subject and its OCLC number too. */
  saltRoads: [
    "001 101",
    "008 810714s1981    nyu                 eng  ",
    "020   ‡a0471925691",
    "100 1 ‡aBrine, Walter,‡d1930-",
    "245 14‡aThe salt roads of the north /‡cWalter Brine.",
    "260   ‡aNew York :‡bCausey House,‡cc1981.",
    "300   ‡a310 p. :‡bmaps ;‡c24 cm.",
  ],
  saltRoadsElsewhere: [
    "001 ocm00654321",
    "003 OCoLC",
    "008 820110s1981    nyu                 eng  ",
    "020   ‡a0471925691 :‡c$19.95",
    "100 1 ‡aBrine, Walter.",
    "245 14‡aThe salt roads of the north /‡cby Walter Brine.",
    "260   ‡aNew York :‡bCausey House,‡c1981.",
    "300   ‡a310 p. ;‡c24 cm.",
    "650  0‡aSalt industry and trade.",
  ],
  /** Names two more persons than the edition that a catalog has. */
  deepLakes: [
    "008 030218s2003    cau                 eng d",
    "020   ‡a9780714840147",
    "245 00‡aDeep lakes /‡cedited by Ruth Tarn and Owen Mere.",
    "260   ‡aBerkeley :‡bBasin Press,‡c2003.",
    "300   ‡axiv, 188 p.",
    "650  0‡aLakes‡zSweden.",
    "700 1 ‡aTarn, Ruth.",
    "700 1 ‡aMere, Owen.",
  ],
  /** Has a description, subjects of each kind, and one author. */
  bridges: [
    "008 110930s2011    nyua          001 0 eng d",
    "020   ‡a9780199535569",
    "100 1 ‡aArch, Celia.",
    "245 10‡aBridges for beginners /‡cCelia Arch.",
    "260   ‡aNew York :‡bSpan & Co.,‡cc2011.",
    "300   ‡aviii, 264 p. :‡bill.",
    "520   ‡aWhy arches stand.",
    "650  0‡aBridges‡xDesign and construction.",
    "651  0‡aNew York (State)‡xBuildings.",
  ],
  /** Names its author in 700 alone. */
  orchards: [
    "008 990405s1999    miu                 eng  ",
    "020   ‡a1565121656",
    "245 00‡aOrchards /‡cLaura Pomeroy, book editor.",
    "260   ‡aLansing :‡bGrove,‡c1999.",
    "700 1 ‡aPomeroy, Laura,‡d1953-",
  ],
  /** A work whose author's year of death a catalog may have with a dot. */
  glaciers: [
    "008 830101s1883    cau                 eng  ",
    "100 1 ‡aFirn, Hugo,‡d1832-1918.",
    "245 14‡aThe glaciers of Hugo Firn.",
    "260   ‡aSan Francisco :‡bCirque,‡c1883.",
  ],
  /** Of a book that a catalog has by its ISBN-10. */
  harbourTrial: [
    "008 960812s1997    mau                 eng  ",
    "020   ‡a0131103628",
    "245 14‡aThe harbour trial, 1845-46 :‡ba documentary history.",
    "260   ‡aBoston :‡bQuayside,‡c1997.",
  ],
  /** Two editors and a body, all in 7XX. */
  experiments: [
    "008 750613s1975    dcu                 eng  ",
    "245 00‡aShips in tanks :‡bexperiments at small scale /‡cJonas A. Keel, Mary Draught, editors.",
    "260   ‡aWashington :‡bHull Institute,‡c1975.",
    "700 1 ‡aKeel, Jonas A.,‡eed.",
    "700 1 ‡aDraught, Mary,‡4edt",
    "710 2 ‡aHull Institute, Washington.‡bPanel on Models.",
  ],
} satisfies Readonly<Record<string, readonly string[]>>;

/** Thins out a long list evenly: large files have hundreds of records of the same kind. */
export function sampleOf<Item>(items: readonly Item[], size: number): Item[] {
  const step = Math.ceil(items.length / size);
  return items.filter((_, index) => index % step === 0);
}

/** All of these records. */
export const ALL_LIBRARY_RECORDS: readonly (MarcParts & { readonly name: string })[] = [
  ...Object.entries(LIBRARY_RECORDS).map(([name, parts]) => ({ ...parts, name })),
  ...Object.entries(BOOKS).map(([name, fields]) => ({ name, fields })),
];
