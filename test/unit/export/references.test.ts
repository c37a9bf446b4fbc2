import { describe, expect, it } from "vitest";
import { toHeadlineCase } from "../../../src/export/reference-words.ts";
import { formatReferences } from "../../../src/export/references.ts";
import { FULL, author, editionBook, workBook } from "./books.ts";

const texts = (...of: Parameters<typeof formatReferences>) =>
  [formatReferences(...of)].flatMap(({ apa, mla, chicago }) => [apa.text, mla.text, chicago.text]);
const people = (...names: string[]) => names.map((name, index) => author(index + 1, { name }));

describe("references", () => {
  it("include all data of an edition", () => {
    expect(texts(FULL, "en")).toEqual([
      "Austen, J. (2003). The Pride & Prejudice: a novel (V. Jones, Ed.; T. Doe, Trans.; 2nd ed.). Penguin.",
      "Austen, Jane. The Pride & Prejudice: A Novel. Edited by Vivien Jones, translated by Tilda Doe, 2nd ed., " +
        "Penguin, 2003. Penguin classics 12.",
      "Austen, Jane. 2003. The Pride & Prejudice: A Novel. Edited by Vivien Jones. Translated by Tilda Doe. 2nd ed. " +
        "Penguin classics 12. London: Penguin.",
    ]);
  });

  it("use the words of other languages; only English titles are capitalised", () => {
    expect(texts(FULL, "de")).toEqual([
      "Austen, J. (2003). The Pride & Prejudice: a novel (V. Jones, Hrsg.; T. Doe, Übers.; 2nd ed.). Penguin.",
      "Austen, Jane. The Pride & Prejudice: A Novel. Herausgegeben von Vivien Jones, übersetzt von Tilda Doe, " +
        "2nd ed., Penguin, 2003. Penguin classics 12.",
      "Austen, Jane. 2003. The Pride & Prejudice: A Novel. Herausgegeben von Vivien Jones. Übersetzt von Tilda Doe. " +
        "2nd ed. Penguin classics 12. London: Penguin.",
    ]);
    const french = editionBook({ title: "L'étranger au soleil", languages: [{ key: "/languages/fre" }] });
    expect(texts(french, "fr")).toEqual([
      "L'étranger au soleil. (s. d.).",
      "L'étranger au soleil.",
      "L'étranger au soleil. s. d.",
    ]);
  });

  it.each([
    ["c1999", "(1999)"],
    ["1999-2001", "(1999–2001)"],
    ["[1850?]", "(ca. 1850)"],
    ["400 B.C.", "(400 v. Chr.)"],
    ["9999", "(o. J.)"],
  ])("have the date %j", (date, text) => {
    expect(texts(editionBook({ publish_date: date }), "de")[0]).toContain(text);
  });

  it("name as many people as the style allows", () => {
    const by = (...names: string[]) =>
      texts(editionBook({ publish_date: "1999" }, { authors: people(...names) }), "en");
    expect(by("Ann B. Clark", "Jean-Paul de Diaz")).toEqual([
      "Clark, A. B., & de Diaz, J.-P. (1999). A title.",
      "Clark, Ann B., and Jean-Paul de Diaz. A Title. 1999.",
      "Clark, Ann B., and Jean-Paul de Diaz. 1999. A Title.",
    ]);
    expect(by("Miguel de Cervantes")).toEqual([
      "de Cervantes, M. (1999). A title.",
      "de Cervantes, Miguel. A Title. 1999.",
      "Cervantes, Miguel de. 1999. A Title.",
    ]);
    expect(by("A One", "B Two", "C Three")[1]).toBe("One, A, et al. A Title. 1999.");
    const many = Array.from({ length: 25 }, (_, index) => `A Name${index}`);
    const [apa = "", , chicago = ""] = by(...many);
    expect(apa).toContain("Name18, A., . . . Name24, A. (1999).");
    expect(chicago).toContain("A Name6, et al. 1999.");
  });

  it("begin with editors without authors, and with the title without names", () => {
    const editors = people("Ann Clark", "Bo Diaz").map((one) => ({ ...one, role: "Editor" }));
    expect(texts(editionBook({ publish_date: "1999" }, { authors: editors }), "en")).toEqual([
      "Clark, A., & Diaz, B. (Eds.). (1999). A title.",
      "Clark, Ann, and Bo Diaz, editors. A Title. 1999.",
      "Clark, Ann, and Bo Diaz, eds. 1999. A Title.",
    ]);
    expect(texts(workBook({ first_publish_date: "1813" }), "en")).toEqual([
      "The work. (1813).",
      "The Work. 1813.",
      "The Work. 1813.",
    ]);
  });

  it("name illustrators", () => {
    const contributors = [{ name: "John Tenniel", role: "Illustrator" }];
    expect(texts(editionBook({ contributors }, { authors: people("Lewis Carroll") }), "fr")).toEqual([
      "Carroll, L. (s. d.). A title (J. Tenniel, Ill.).",
      "Carroll, Lewis. A title. Illustré par John Tenniel.",
      "Carroll, Lewis. s. d. A title. Illustré par John Tenniel.",
    ]);
  });

  it("escape records", () => {
    const { apa, mla } = formatReferences(
      editionBook({ title: '<i>"A" & B</i>', publishers: ["<script>"] }, { authors: people("<b>") }),
      "es",
    );
    expect(apa.html).toBe(
      "&lt;b&gt;. (s. f.). <i>&lt;i&gt;&quot;A&quot; &amp; B&lt;/i&gt;</i>. &lt;script&gt;.",
    );
    expect(mla.text).toBe('<b>. <i>"A" & B</i>. <script>.');
  });

  it("have a bounded length", () => {
    const names = Array.from({ length: 300 }, (_, index) => `A${"x".repeat(5000)} Name${index}`);
    for (const text of texts(editionBook({ title: "t".repeat(1e6) }, { authors: people(...names) }), "en")) {
      expect(text.length).toBeLessThan(200_000);
    }
  });

  it.each([
    ["pride and prejudice", "Pride and Prejudice"],
    ["the end of all: a history of the web", "The End of All: A History of the Web"],
    ["iPhone for McDonald's", "iPhone for McDonald's"],
    ["what it is made of", "What It Is Made Of"],
    ["cabin; or, life among the lowly", "Cabin; or, Life among the Lowly"],
    ["(not) a title", "(Not) a Title"],
  ])("capitals of %s", (title, expected) => {
    expect(toHeadlineCase(title)).toBe(expected);
  });
});

describe("a reference for the English Wikipedia", () => {
  const wikitext = (...of: Parameters<typeof editionBook>) =>
    formatReferences(editionBook(...of), "de").wikipedia.text;

  it("has the parameters that citoid maps", () => {
    expect(formatReferences(FULL, "en").wikipedia.text).toBe(
      "{{cite book |last=Austen |first=Jane |editor-last=Jones |editor-first=Vivien |translator-last=Doe " +
        "|translator-first=Tilda |title=The Pride & Prejudice: a novel |url=http://books.example/books/OL1M " +
        "|date=2003-03-01 |language=en |series=Penguin classics 12 |edition=2nd |location=London " +
        "|publisher=Penguin |isbn=9780141439518 |oclc=50503123}}",
    );
  });

  it("numbers names from the second, and keeps an organisation in one piece", () => {
    const authors = people("Johann Wolfgang von Goethe", "Martin Luther King Jr.", "UNESCO");
    expect(wikitext({}, { authors })).toContain(
      "|last=von Goethe |first=Johann Wolfgang |last2=King |first2=Martin Luther Jr. |last3=UNESCO |title",
    );
  });

  it.each([
    ["May 2003", "May 2003"],
    ["2 May 1560", "2 May 1560"],
    ["1999-2001", "1999–2001"],
    ["[1850?]", "c. 1850"],
  ])("writes the date %s as %s", (publish_date, date) => {
    expect(wikitext({ publish_date })).toContain(`|date=${date}}}`);
  });

  it("leaves out a date before Christ, and a range with one", () => {
    for (const publish_date of ["400 B.C.", "50 B.C."])
      expect(wikitext({ publish_date })).not.toContain("date=");
  });

  it("cannot be broken by a title", () => {
    const title = "a|b }} {{c}} [[d]] [1850] ''e'' <ref> ~~~~ &lt; A&B";
    const wikipedia = formatReferences(editionBook({ title }), "en").wikipedia;
    expect(wikipedia.text).toBe(
      "{{cite book |title=a&#124;b &#125;&#125; &#123;&#123;c&#125;&#125; &#91;&#91;d&#93;&#93; [1850] " +
        "&#39;&#39;e&#39;&#39; &#60;ref&#62; &#126;&#126;&#126;&#126; &#38;lt; A&B |url=http://books.example/books/OL1M}}",
    );
    expect(wikipedia.html).toContain("<code>{{cite book |title=a&amp;#124;b ");
  });
});
