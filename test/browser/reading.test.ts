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

describe.skipIf(!hasBrowser)("the shelf of a book far down", () => {
  it("changes where the reader looks, and Undo is the next stop", async () => {
    const seen = await withPage({ storageState: await loginState(site, "reader") }, async (page) => {
      await page.goto(`${site}/search?q=fiction`);
      const button = page.locator(".dropper button.primary").nth(9);
      await button.scrollIntoViewIfNeeded();
      const before = await button.boundingBox();
      await button.click();
      const notice = page.locator(".notice.good");
      await notice.waitFor();
      const box = await notice.boundingBox();
      const height = page.viewportSize()?.height ?? 0;
      const after = await page.locator(".dropper .on").first().boundingBox();
      await page.keyboard.press("Tab");
      const next = await page.locator(":focus").textContent();
      await page.keyboard.press("Enter");
      await page.locator(".toast form").waitFor({ state: "detached" });
      const moved = Math.abs((before?.y ?? 0) - (after?.y ?? 0));
      return { inWindow: box !== null && box.y >= 0 && box.y + box.height <= height, moved, next };
    });
    expect(seen).toEqual({ inWindow: true, moved: 0, next: expect.stringContaining("Undo") });
  });
});
