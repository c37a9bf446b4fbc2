// One page of each type in a browser: accessible, light, still while it loads, and whole on small screens.
import { describe, expect, inject, it } from "vitest";
import { hasBrowser, withPage } from "../../scripts/lib/browser.ts";
import { PAGES, problemsOf } from "../support/browser/pages.ts";

const site = inject("site");
const types = [...new Set(PAGES.map(([type]) => type))];

describe.skipIf(!hasBrowser)("page types", () => {
  it.each(types.map((type, index) => [type, index % 2 === 0 ? "narrow" : "wide"] as const))(
    "%s has no problem in a %s window",
    async (type, mode) => {
      const page = PAGES.find(([name]) => name === type)!;
      expect(await problemsOf(site, page, [mode])).toEqual([]);
    },
  );
});

describe.skipIf(!hasBrowser)("printed pages", () => {
  it.each(["/search?q=fiction", "/works/OL101W?m=diff", "/works/OL101W?m=history", "/recentchanges"])(
    "have no forms: %s",
    async (path) => {
      const controls = await withPage({}, async (page) => {
        await page.goto(site + path);
        const shown = page.locator(
          ":is(form, button, input, select):visible, main details:has(form) > summary:visible",
        );
        const before = await shown.count();
        await page.emulateMedia({ media: "print" });
        return { before, printed: await shown.count() };
      });
      expect(controls).toEqual({ before: expect.toSatisfy((count: number) => count > 3), printed: 0 });
    },
  );
});
