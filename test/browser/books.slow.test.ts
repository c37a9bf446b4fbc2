// Pages of books in a browser: what readers see without scrolling, what the keyboard reaches, and the choice of a language.
import type { Page } from "playwright-core";
import { describe, expect, inject, it } from "vitest";
import { NARROW, WIDE, hasBrowser, loginState, withPage } from "../../scripts/lib/browser.ts";

const site = inject("site");

/** Counts the elements of a selector that are entirely above the fold. */
const aboveFold = (page: Page, selector: string): Promise<number> =>
  page.evaluate<number>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((one) => one.getBoundingClientRect().bottom <= innerHeight).length`,
  );

describe.skipIf(!hasBrowser)("what is seen at once", () => {
  it.each([
    ["wide", WIDE, 5],
    ["narrow", NARROW, 3],
  ] as const)("of a search, %s", async (_name, viewport, count) => {
    const seen = await withPage({ viewport }, async (page) => {
      await page.goto(`${site}/search?q=love`);
      return aboveFold(page, ".res > li .cover");
    });
    expect(seen).toBeGreaterThanOrEqual(count);
  });

  it.each([WIDE, NARROW])("the other kinds of search stand above the results: %j", async (viewport) => {
    const [tabs = 0, result = 0] = await withPage({ viewport }, async (page) => {
      await page.goto(`${site}/search?q=love`);
      const tops = [".tabs a[href^='/search/authors']", ".res > li"].map((selector) =>
        page.locator(selector).first().boundingBox(),
      );
      return (await Promise.all(tops)).map((box) => box?.y ?? Infinity);
    });
    expect(tabs).toBeLessThan(result);
  });

  it.each([WIDE, NARROW])("of a book: %j", async (viewport) => {
    const seen = await withPage({ viewport }, async (page) => {
      await page.goto(`${site}/works/OL101W`);
      return Promise.all([".side .cover", "h1", ".side .primary"].map((one) => aboveFold(page, one)));
    });
    expect(seen).toEqual([1, 1, 1]);
  });
});

describe.skipIf(!hasBrowser)("on a phone", () => {
  it.each([
    ["nobody", "en"],
    ["nobody", "fr"],
    ["patron", "de"],
  ])("the head of the page has two lines for %s, %s", async (who, locale) => {
    const own = who === "nobody" ? {} : { storageState: await loginState(site, who) };
    const lines = await withPage({ viewport: NARROW, locale, ...own }, async (page) => {
      await page.goto(site);
      return page.evaluate<number>(
        `new Set([...document.querySelectorAll(".top nav > *, #site-search")].map((one) => one.getBoundingClientRect())
          .filter(({ height }) => height > 0).map(({ top, height }) => Math.round((top + height / 2) / 8))).size`,
      );
    });
    expect(lines).toBe(2);
  });
});

describe.skipIf(!hasBrowser)("by keyboard", () => {
  it("the first value that narrows a search is near", async () => {
    const stops = await withPage({}, async (page) => {
      await page.goto(`${site}/search?q=love`);
      for (let stop = 1; stop <= 30; stop += 1) {
        await page.keyboard.press("Tab");
        if (await page.evaluate<boolean>("document.activeElement.matches('.facet a')")) return stop;
      }
      return Infinity;
    });
    expect(stops).toBeLessThanOrEqual(15);
  });
});

describe.skipIf(!hasBrowser)("without scripts", () => {
  it("the language of the pages is chosen at the foot", async () => {
    const [language, notice, after] = await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(`${site}/subjects/fantasy`);
      await page.selectOption("#site-language", "fr");
      await page.click("footer form button");
      await page.waitForSelector("html[lang=fr]");
      const said = await page.textContent("main .notice");
      const { pathname } = new URL(page.url());
      await page.reload();
      return [pathname, said, await page.getAttribute("html", "lang")];
    });
    expect([language, after]).toEqual(["/subjects/fantasy", "fr"]);
    expect(notice).toContain("Langue modifiée");
  });
});
