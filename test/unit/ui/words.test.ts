// Every text of the pages is in the catalogue, in all languages.
import { parseAst } from "vitest/node";
import { beforeAll, describe, expect, it } from "vitest";
import { sourceFiles } from "../../../scripts/lib/sources.ts";
import { ANONYMOUS_READER, LANGUAGES } from "../../../src/worker/http/pages/reader.ts";
import { importTexts } from "../../../src/worker/http/pages/texts.ts";
import { factList } from "../../../src/worker/ui/facts.ts";
import { markup } from "../../../src/worker/ui/markup.ts";
import { histogram, ratingLine } from "../../../src/worker/ui/stars.ts";
import { table } from "../../../src/worker/ui/table.ts";
import { byteSize, day, moment, number, percentage, plainDay, t } from "../../../src/worker/ui/words.ts";
import ar from "../../../locales/ar.json" with { type: "json" };
import de from "../../../locales/de.json" with { type: "json" };
import en from "../../../locales/en.json" with { type: "json" };
import es from "../../../locales/es.json" with { type: "json" };
import fr from "../../../locales/fr.json" with { type: "json" };
import { textsOfPages } from "./texts-of-pages.ts";

/** The gallery of page parts has example texts, and exists on development services only. */
const EXAMPLES = "src/worker/reference/components.ts";

type Catalogue = Readonly<Record<string, string | Readonly<Record<string, string>>>>;
const CATALOGUES: Readonly<Record<string, Catalogue>> = { en, de, fr, es, ar };

let sources: { readonly name: string; readonly text: string }[] = [];
beforeAll(async () => {
  sources = await sourceFiles("src", /\.ts$/);
});

const formsOf = (phrase: Catalogue[string] | undefined): string[] =>
  typeof phrase === "string" ? [phrase] : Object.values(phrase ?? {});
const placeholdersOf = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();

/** Returns the keys of the texts that are all that a button has. */
function keysOfButtons(): Set<string> {
  const BUTTON = /<button[^<]*>\$\{t\("([\w.-]+)"|submit: t\("([\w.-]+)"/g;
  return new Set(
    sources.flatMap(({ text }) => [...text.matchAll(BUTTON)].flatMap(([, one, other]) => one ?? other ?? [])),
  );
}

it("finds texts and interpolated names in templates", () => {
  const text = `
const a = markup\`<p class="title" title="Above \${x}">One \${y && "or two"} <b>\${say("book.two")}</b> – JSON</p>\`;
page({ title: "Three", body: link(to, "Four"), kind: "plain" });
form({ fields: [{ name: "five", label: "Five", error: "is wrong" }], error: "conflict" });
table({ columns: ["Six", "ISBN"], rows: [] });`;
  const found = textsOfPages(parseAst(text, { lang: "ts" }));
  expect(found.sort()).toEqual(["Above", "Five", "Four", "One", "Six", "Three", "is wrong", "or two"]);
});

it("is the only place with texts of the pages", () => {
  const withTexts = sources.flatMap(({ name, text }) => {
    if (!/\/ui\/|\.\/markup\.ts/.test(text)) return [];
    const texts = textsOfPages(parseAst(text, { lang: "ts" }));
    return texts.length === 0 ? [] : [[name, texts] as const];
  });
  expect(withTexts.filter(([name]) => name !== EXAMPLES)).toEqual([]);
});

it("has only used entries, in order", () => {
  const used = new Set(sources.flatMap(({ text }) => text.match(/"[\w.-]+"/g) ?? []));
  expect(Object.keys(en).filter((key) => !used.has(`"${key}"`))).toEqual([]);
  expect(Object.keys(en)).toEqual(Object.keys(en).sort());
});

describe("English texts", () => {
  const texts = Object.entries(en as Catalogue).flatMap(([key, phrase]) =>
    formsOf(phrase).map((text): [key: string, text: string] => [key, text]),
  );

  it("use plain words", () => {
    const odd =
      /\b(?:everybody|somebody|nobody|whom|whoever|at present|put right|(?:this|that|it) is no|stands? on|e-mail|bar code|besides|him|his|may not|all the same|Please)\b/i;
    expect(texts.filter(([, text]) => odd.test(text))).toEqual([]);
  });

  it("tell what happened, in notices", () => {
    expect(texts.filter(([key, text]) => key.startsWith("notice.") && /^It (?:is|was)\b/.test(text))).toEqual(
      [],
    );
  });

  it("name the object of a button's verb", () => {
    const alone = new Set(["Apply", "Continue", "Search"]);
    const buttons = keysOfButtons();
    const short = texts.filter(([key, text]) => buttons.has(key) && !/\s/.test(text));
    expect(short.filter(([key, text]) => key !== "notice.undo" && !alone.has(text))).toEqual([]);
  });
});

it.each<[string, Catalogue, RegExp]>([
  ["de", de, /(?<!\p{L})(?:du|dein\p{L}*|dich|dir)(?!\p{L})/iu],
  ["fr", fr, /(?<!\p{L})(?:tu|toi|tes|ton)(?!\p{L})/iu],
  ["es", es, /(?<!\p{L})(?:tu|tus|te|ti|tú|tuy[oa]s?|puedes|tienes)(?!\p{L})/iu],
])("addresses readers politely in %s", (_code, catalogue, familiar) => {
  const texts = Object.entries(catalogue).flatMap(([key, phrase]) =>
    formsOf(phrase).map((text) => [key, text]),
  );
  expect(texts.filter(([, text = ""]) => familiar.test(text))).toEqual([]);
});

it("uses verbal nouns on Arabic buttons", () => {
  const IMPERATIVE = /^(?:أ(?:ضف|زل|نشئ|عد|رسل|كّد|لغِ)|ا(?:حفظ|حذف|بحث|ستعد|ستعمل|ستورد|ختر|دمج)|قارن|طبّق)/;
  const buttons = [...keysOfButtons()];
  expect(buttons.length).toBeGreaterThan(50);
  const texts = buttons.flatMap((key) => formsOf((ar as Catalogue)[key]).map((text) => [key, text] as const));
  expect(texts.filter(([, text]) => IMPERATIVE.test(text))).toEqual([]);
});

describe.each(LANGUAGES.slice(1))("in %s", (language) => {
  const catalogue = CATALOGUES[language] ?? {};

  it("has the entries of English, in the same order", () => {
    expect(Object.keys(catalogue)).toEqual(Object.keys(en));
  });

  it("has the same placeholders and the plurals of the language", () => {
    const wrong = Object.entries(en as Catalogue).filter(([key, english]) => {
      const all = (phrase: Catalogue[string] | undefined) => placeholdersOf(formsOf(phrase).join(" "));
      const forms = typeof catalogue[key] === "string" ? "" : Object.keys(catalogue[key] ?? {}).join();
      const wanted = language === "ar" ? "zero,one,two,few,many,other" : "one,other";
      const counts = typeof english !== "string" && Object.hasOwn(english, "one");
      const isPlural = forms === wanted || (!counts && (forms === "" || forms === "other"));
      return (
        all(english).join() !== all(catalogue[key]).join() ||
        !isPlural ||
        formsOf(catalogue[key]).includes("")
      );
    });
    expect(wrong.map(([key]) => key)).toEqual([]);
  });
});

describe("words", () => {
  beforeAll(async () => {
    for (const language of LANGUAGES) await importTexts(language);
  });

  const inLanguage = (language: (typeof LANGUAGES)[number]) => ({ ...ANONYMOUS_READER, language });

  it("count in the reader's language", () => {
    const editions = (count: number) => t("book.editions", { count });
    expect(String(editions(1))).toBe("1 edition");
    expect(String(editions(1234))).toBe("1,234 editions");
    expect(editions(1234).textFor(inLanguage("de"))).toBe("1.234 Ausgaben");
    expect(editions(2).textFor(inLanguage("ar"))).toBe("طبعتان");
  });

  it("insert values as text or markup", () => {
    expect(String(t("pager.part", { from: "<i>", to: markup`<b>2</b>` }))).toBe(", &lt;i&gt; to <b>2</b>");
  });

  it("format numbers and dates", () => {
    const piece = markup`${number(12_345)} ${day("2026-11-01T23:59:59")} ${moment("2026-11-01T01:02:03.4")}`;
    expect(String(piece)).toBe(
      '12,345 <time datetime="2026-11-01">1 November 2026</time> ' +
        '<time datetime="2026-11-01T01:02:03Z" title="2026-11-01 01:02:03 UTC">1 Nov 2026, 01:02</time> UTC',
    );
    expect(piece.textFor(inLanguage("de"))).toContain('12.345 <time datetime="2026-11-01">1. November 2026');
    expect(String(day("2026-99-99"))).toBe("2026-99-99");
    expect(plainDay("2026-11-01").textFor(inLanguage("fr"))).toBe("1 novembre 2026");
  });

  it.each([
    ["en", "50% 512 byte 1.5 kB 12.3 MB"],
    ["de", "50 % 512 Byte 1,5 kB 12,3 MB"],
    ["fr", "50 % 512 o 1,5 ko 12,3 Mo"],
  ] as const)("format shares and sizes in %s", (language, expected) => {
    const piece = markup`${percentage(0.5)}${[512, 1500, 12_345_678].map((bytes) => [" ", byteSize(bytes)])}`;
    expect(piece.textFor(inLanguage(language)).replaceAll(/\s+/g, " ")).toBe(expected);
  });

  it("format numbers in tables and lists of facts", () => {
    const facts = factList([["Works", 12_345]]) ?? markup``;
    expect(facts.textFor(inLanguage("de"))).toContain("<dd>12.345</dd>");
    const rows = table({ caption: "", columns: ["", ""], rows: [["Works", 12_345]] });
    expect(rows.textFor(inLanguage("de"))).toContain("<td>12.345</td>");
  });

  it("format ratings in the reader's language", () => {
    const ratings = { average: 4, counts: [1, 0, 0, 0, 1] };
    expect(ratingLine(ratings).textFor(inLanguage("de"))).toContain('aria-label="4,0 von 5 Sternen"');
    expect(ratingLine(ratings).textFor(inLanguage("de"))).toContain("<b>4,0</b>");
    expect(histogram(ratings).textFor(inLanguage("de"))).toContain('aria-label="1 Stern"');
    expect(histogram(ratings).textFor(inLanguage("ar"))).toContain('aria-label="نجمتان"');
  });
});
