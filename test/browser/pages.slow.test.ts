// Each type of pages in all windows and colours, more pages of each type in one window, and pages from right to left.
import { describe, expect, inject, it } from "vitest";
import { NARROW, hasBrowser, withPage } from "../../scripts/lib/browser.ts";
import { PAGES, overflowOf, problemsOf, violationsIn } from "../support/browser/pages.ts";

const site = inject("site");
const isFirst = PAGES.map(([type], index) => PAGES.findIndex((page) => page[0] === type) === index);
const pages = PAGES.map((page) => [page[0], page[1], page[2] ?? "signed out", page] as const);

describe.skipIf(!hasBrowser)("pages", () => {
  it.each(pages.filter((_page, index) => isFirst[index]))(
    "%s: %s, %s, has no problem in any window or colour scheme",
    async (_type, _path, _account, page) => {
      expect(await problemsOf(site, page)).toEqual([]);
    },
  );

  it.each(pages.filter((_page, index) => !isFirst[index]))(
    "%s: %s, %s, has no problem in a narrow window",
    async (_type, _path, _account, page) => {
      expect(await problemsOf(site, page, ["narrow"])).toEqual([]);
    },
  );

  it.each(["/", "/search?q=love", "/works/OL101W", "/authors/OL101A"])(
    "%s fits from right to left in Arabic",
    async (path) => {
      const found = await withPage({ locale: "ar", bypassCSP: true, viewport: NARROW }, async (page) => {
        await page.goto(site + path);
        const violations = await violationsIn(page);
        return [await page.getAttribute("html", "dir"), violations, await overflowOf(page)];
      });
      expect(found).toEqual(["rtl", [], []]);
    },
  );
});
