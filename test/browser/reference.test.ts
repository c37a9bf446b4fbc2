// The reference in a browser, and the times of cached numbers.
import { describe, expect, inject, it } from "vitest";
import { hasBrowser, withPage } from "../../scripts/lib/browser.ts";

const site = inject("site");

describe.skipIf(!hasBrowser)("the reference", () => {
  it("runs an example in place, and without scripts opens the response", async () => {
    const shown = await withPage({}, async (page) => {
      await page.goto(`${site}/docs/search#search`);
      await page.click("#search .run button");
      await page.waitForSelector("#search pre.answer:not(:empty)");
      return page.textContent("#search pre.answer");
    });
    expect(shown).toContain('"numFound":');
    const address = await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(`${site}/docs/search`);
      await page.fill("#search-limit", "1");
      await page.click("#search .run button");
      return page.url();
    });
    expect(address).toMatch(/\/search\.json\?q=.+&limit=1$/);
  });
});

describe.skipIf(!hasBrowser)("cached numbers", () => {
  it.each(["/", "/explore", "/subjects", "/publishers", "/languages", "/stats"])(
    "show when they were counted: %s",
    async (path) => {
      const page = await fetch(site + path, { headers: { Accept: "text/html" } });
      expect(await page.text()).toMatch(/Updated .*\d{4}/);
    },
  );
});
