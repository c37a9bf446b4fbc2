// Lists in a browser, with scripts and without.
import { describe, expect, inject, it } from "vitest";
import { hasBrowser, loginState, withPage } from "../../scripts/lib/browser.ts";

const site = inject("site");

describe.skipIf(!hasBrowser).each([false, true])("lists with scripts: %s", (javaScriptEnabled) => {
  it("take works by their titles", async () => {
    const titles = await withPage(
      { storageState: await loginState(site, "reader"), javaScriptEnabled },
      async (page) => {
        await page.goto(`${site}/account/lists/add`);
        await page.fill("#name", `By titles, scripts: ${javaScriptEnabled}`);
        for (const title of ["mansfield", "northanger"]) {
          await page.locator("#seeds_text").pressSequentially(title);
          if (javaScriptEnabled) {
            await page.waitForSelector("[role=option]");
            await page.keyboard.press("ArrowDown");
            await page.keyboard.press("Enter");
          } else {
            await page.keyboard.press("Enter");
            await page.check(".terms input[type=checkbox]");
            if (title === "mansfield") await page.fill("#seeds_text", "");
          }
        }
        await page.click("main form button.primary");
        await page.waitForSelector("main .notice.good");
        return page.locator("main .res .title").allTextContents();
      },
    );
    expect(titles).toEqual(["Mansfield Park", "Northanger Abbey"]);
  });
});
