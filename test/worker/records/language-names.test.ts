import { beforeAll, describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { hrefs, mainOf, textOf } from "../../support/worker/page-text.ts";
import { edition, language, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const NAMES = {
  ang: "English, Old",
  dan: "Danish",
  ger: "German",
  egy: "Egyptian",
  grc: "Greek, Ancient",
  spa: "Spanish",
};

beforeAll(async () => {
  await service.load(
    ...Object.entries(NAMES).map(([code, name]) => language(code, name)),
    work(1, { title: "Sea" }),
    ...Object.keys(NAMES).map((code, at) =>
      edition(1 + at, { work: 1, languages: [{ key: `/languages/${code}` }] }),
    ),
  );
  await indexAll();
});

const mainIn = async (path: string, accepted: string): Promise<string> => {
  const headers = { Accept: "text/html", "Accept-Language": accepted };
  return mainOf(await (await service.fetch(path, { headers })).text());
};

describe("names of languages on pages", () => {
  it.each([
    ["en", "dan egy ang ger grc spa"],
    ["de", "egy ang grc dan ger spa"],
    ["fr", "ger ang dan egy spa grc"],
    ["es", "ger dan egy spa grc ang"],
    ["ar", "spa ger ang dan egy grc"],
    ["it,de;q=0.5", "egy ang grc dan ger spa"],
  ])("are in the order of readers of %s", async (accepted, codes) => {
    const links = hrefs(await mainIn("/languages?sort=name", accepted)).filter((href) =>
      /^\/languages\/\w+$/.test(href),
    );
    expect(links.map((href) => href.slice("/languages/".length)).join(" ")).toBe(codes);
  });

  it.each([
    ["/languages", "اليونانية القديمة"],
    ["/search/languages?q=grc", "اليونانية القديمة"],
    ["/search?q=sea", "الإنجليزية القديمة"],
    ["/languages/egy", "المصرية القديمة"],
    ["/books/OL1M/Edition_1", "الإنجليزية القديمة"],
    ["/works/OL1W/Sea", "الإسبانية"],
  ])("are Arabic for readers of Arabic: %s", async (path, name) => {
    const text = textOf(await mainIn(path, "ar"));
    expect(text).toContain(name);
    expect(text).not.toMatch(/English|Danish|German|Greek|Spanish|Egyptian/);
  });
});
