// Books merged and edited in a browser: works chosen by title, edit conflicts, and undo.
import { describe, expect, inject, it } from "vitest";
import { hasBrowser, loginState, withPage } from "../../scripts/lib/browser.ts";

const site = inject("site");

describe.skipIf(!hasBrowser).each([false, true])("with scripts: %s", (javaScriptEnabled) => {
  it("works stand side by side that were named by their titles", async () => {
    const heads = await withPage(
      { storageState: await loginState(site, "librarian"), javaScriptEnabled },
      async (page) => {
        await page.goto(`${site}/works/OL101W`);
        await page.click("a[href='/works/merge?records=OL101W']");
        await page.locator("#other").pressSequentially("mansfield");
        if (javaScriptEnabled) {
          await page.waitForSelector("[role=option]");
          await page.keyboard.press("ArrowDown");
          await page.keyboard.press("Enter");
        } else {
          await page.keyboard.press("Enter");
          await page.check(".picker input[type=radio]");
        }
        await page.locator("main button.primary").press("Enter");
        return page.locator(".side-by-side thead a").allTextContents();
      },
    );
    expect(heads).toEqual(["Pride and Prejudice", "Mansfield Park"]);
  });
});

describe.skipIf(!hasBrowser)("two at once", () => {
  it("see what the other has written, and make one of both", async () => {
    const seen = await withPage({ storageState: await loginState(site, "librarian") }, async (page) => {
      const other = await page.context().newPage();
      for (const one of [page, other]) await one.goto(`${site}/works/OL103W/edit`);
      await other.fill("#work--subtitle", "Theirs");
      await other.keyboard.press("Enter");
      await other.waitForSelector("main .notice.good");
      await page.fill("#work--subtitle", "Mine");
      await page.keyboard.press("Enter");
      await page.waitForSelector("main form .notice.bad");
      const shown = await page.textContent("main form .notice.bad");
      await page.check("[id='theirs--work--subtitle']");
      await page.keyboard.press("Enter");
      await page.waitForSelector("main .notice.good");
      await page.goto(`${site}/works/OL103W/edit`);
      return [shown, await page.inputValue("#work--subtitle")];
    });
    expect(seen).toEqual([expect.stringContaining("Theirs"), "Theirs"]);
  });
});

describe.skipIf(!hasBrowser)("an edit", () => {
  it("is found in the history of its record, and undone from its page, without scripts", async () => {
    const admin = await loginState(site, "openlibrary");
    const options = { storageState: admin, javaScriptEnabled: false };
    const [said, latest, subtitle] = await withPage(options, async (page) => {
      await page.goto(`${site}/works/OL104W/edit`);
      await page.fill("#work--subtitle", "To be undone");
      await page.locator("#work--subtitle").press("Enter");
      await page.goto(`${site}/works/OL104W?m=history&author=openlibrary&kind=edit-book`);
      await page.locator("main table td a[href^='/recentchanges/goto/']").first().click();
      await page.click("main form[action^='/recentchanges/'] button");
      const notice = await page.textContent("main .notice");
      await page.goto(`${site}/works/OL104W?m=history&kind=undo`);
      const undone = await page.textContent("main table tbody");
      await page.goto(`${site}/works/OL104W/edit`);
      return [notice, undone, await page.inputValue("#work--subtitle")];
    });
    expect([said, latest]).toEqual([
      expect.stringContaining("undone"),
      expect.stringContaining("openlibrary"),
    ]);
    expect(subtitle).toBe("");
  });
});
