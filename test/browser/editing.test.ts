// Books added and edited in a browser, with scripts and without: no key is ever typed.
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { closeBrowser, hasBrowser, loginState, withPage } from "../../scripts/lib/browser.mjs";

const site = inject("site");

let storageState: Awaited<ReturnType<typeof loginState>> | undefined;
beforeAll(async () => {
  if (hasBrowser) storageState = await loginState(site, "librarian");
});
afterAll(closeBrowser);

const AUTHOR = "[id='authors--0--author--key']";

describe.skipIf(!hasBrowser).each([false, true])("with scripts: %s", (javaScriptEnabled) => {
  it("a book is added by the name of its author; a known ISBN, and a mistyped one, are said", async () => {
    const seen = await withPage({ storageState, javaScriptEnabled }, async (page) => {
      const state = async (isbn: string, wanted: RegExp): Promise<boolean> => {
        await page.fill("#id_value", isbn);
        if (!javaScriptEnabled) await page.click("button[value=id_value]");
        await page.locator("#id_value-state", { hasText: wanted }).waitFor();
        return page.locator("#id_value-state a").first().isVisible();
      };
      await page.goto(`${site}/books/add`);
      await page.fill("#book_title", `Added, with scripts: ${javaScriptEnabled}`);
      const states = [await state("9780141439511", /mistyped/), await state("0141439513", /There is a book/)];
      await page.fill("#id_value", "");
      await page.locator(AUTHOR).pressSequentially("jane aus");
      if (javaScriptEnabled) {
        await page.waitForSelector("[role=option]");
        await page.keyboard.press("ArrowDown");
      } else {
        await page.click(`button[value="${"authors--0--author--key"}"]`);
        await page.check(".picker input[type=radio]");
      }
      await page.keyboard.press("Enter");
      if (javaScriptEnabled) await page.keyboard.press("Enter");
      await page.waitForURL(/mode=add-work/);
      const author = await page.inputValue("[id='work--authors--0--author--key']");
      return [states, author, await page.textContent("main .notice")];
    });
    expect(seen).toEqual([[false, true], "Jane Austen", expect.stringContaining("The book is added")]);
  });

  it("works stand side by side that were named by their titles", async () => {
    const heads = await withPage({ storageState, javaScriptEnabled }, async (page) => {
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
    });
    expect(heads).toEqual(["Pride and Prejudice", "Mansfield Park"]);
  });
});

describe.skipIf(!hasBrowser)("two at once", () => {
  it("see what the other has written, and make one of both", async () => {
    const seen = await withPage({ storageState }, async (page) => {
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
