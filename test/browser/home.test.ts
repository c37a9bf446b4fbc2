// The first page in a browser, and pages in the colours of an owner.
import { describe, expect, inject, it } from "vitest";
import { NARROW, WIDE, hasBrowser, withPage } from "../../scripts/lib/browser.ts";
import { readableColor } from "../../src/catalog/color.ts";
import { overflowOf, violationsIn } from "../support/browser/pages.ts";

const site = inject("site");

describe.skipIf(!hasBrowser)("the first page", () => {
  it.each([
    [WIDE, "en"],
    [WIDE, "de"],
    [WIDE, "fr"],
    [WIDE, "es"],
    [WIDE, "ar"],
    [NARROW, "en"],
  ])(
    "shows what the catalog is, doors and covers in a window of %j, in %s, without scripts",
    async (viewport, locale) => {
      const look = { viewport, locale, javaScriptEnabled: false };
      const seen = await withPage(look, async (page) => {
        await page.goto(site);
        const bottomOf = async (selector: string): Promise<number> => {
          const box = await page.locator(selector).last().boundingBox();
          return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
        };
        const cover = await page.locator(".shelf .cover").first().boundingBox();
        return {
          language: await page.locator("html").getAttribute("lang"),
          numbers: (await bottomOf(".hero p")) < viewport.height,
          doors: (await bottomOf(".doors section")) < viewport.height,
          // At least the titles on them.
          covers: (cover?.y ?? Number.POSITIVE_INFINITY) + 60 < viewport.height,
          overflow: await overflowOf(page),
        };
      });
      expect(seen).toEqual({ language: locale, numbers: true, doors: true, covers: true, overflow: [] });
    },
  );
});

describe.skipIf(!hasBrowser)("the nearest readable colours", () => {
  it.each(["/", "/search?q=love", "/works/OL101W?m=diff&b=1", "/account/login"])(
    "can be read on %s, in light and in dark",
    async (path) => {
      const colors = [readableColor("#ffcc00", "light"), readableColor("#8a1538", "dark")];
      const url = `${site}/site/colors/${colors.map((color) => color.slice(1)).join("/")}.css`;
      const found = await withPage({ bypassCSP: true }, async (page) => {
        await page.goto(site + path);
        await page.addStyleTag({ url });
        expect(
          await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--mark')"),
        ).toBe(colors[0]);
        const problems: string[] = [];
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          problems.push(...(await violationsIn(page, ["color-contrast"])));
        }
        return problems;
      });
      expect(found).toEqual([]);
    },
  );
});
