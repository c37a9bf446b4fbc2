// Finding books and putting them onto shelves, in a browser: what is seen without scrolling, and every step by hand.
import type { Page } from "playwright-core";
import { afterAll, describe, expect, inject, it } from "vitest";
import { NARROW, WIDE, closeBrowser, hasBrowser, loginState, withPage } from "../../scripts/lib/browser.mjs";

const site = inject("site");
afterAll(closeBrowser);

/** How many of the elements that a selector finds are whole above the fold. */
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

  it("the search at the top completes what is typed", async () => {
    const found = await withPage({}, async (page) => {
      await page.goto(site);
      await page.focus("#site-search");
      await page.keyboard.type("pride and", { delay: 20 });
      await page.waitForSelector("[role=option]");
      await page.keyboard.press("ArrowDown");
      const active = await page.getAttribute("#site-search", "aria-activedescendant");
      const text = await page.textContent(`[id="${active}"]`);
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/works\//);
      return [text, await page.textContent("h1")];
    });
    expect(found).toEqual([expect.stringContaining("Pride and Prejudice"), "Pride and Prejudice"]);
  });
});

describe.skipIf(!hasBrowser).each([false, true])("with scripts: %s", (javaScriptEnabled) => {
  it("a book is put onto a shelf, moved and taken off, and the page says so", async () => {
    const storageState = await loginState(site, "reader");
    const states = await withPage({ storageState, javaScriptEnabled }, async (page) => {
      await page.goto(`${site}/works/OL102W`);
      const shown: (string | null)[] = [];
      const next = async (selector: string, wanted: string) => {
        await page.click(selector);
        await page.waitForSelector(wanted);
        shown.push(await page.textContent(".side .dropper form > :is(.on, button)"));
      };
      await next(".side .dropper button[value='1']", ".side .dropper .on");
      await page.click(".side .dropper summary");
      await next(".side .dropper button[value='3']", ".side .on:has-text('Already')");
      await page.click(".side .dropper summary");
      await next(".side .dropper button[value='-1']", ".side .dropper button.primary");
      return shown;
    });
    expect(states).toEqual([
      expect.stringContaining("Want to read"),
      expect.stringContaining("Already read"),
      expect.stringContaining("Want to read"),
    ]);
  });

  it("the language of the pages is chosen at the foot", async () => {
    const [language, notice, after] = await withPage({ javaScriptEnabled }, async (page) => {
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
    expect(notice).toContain("Les pages");
  });
});
