// Books added in a browser, with scripts and without. The user never types a key.
import { describe, expect, inject, it } from "vitest";
import { hasBrowser, loginState, withPage } from "../../scripts/lib/browser.ts";

const site = inject("site");

const AUTHOR = "[id='authors--0--author--key']";

describe.skipIf(!hasBrowser).each([false, true])("adding a book with scripts: %s", (javaScriptEnabled) => {
  it("finds the author by name and reports known and mistyped ISBNs", async () => {
    const seen = await withPage(
      { storageState: await loginState(site, "librarian"), javaScriptEnabled },
      async (page) => {
        const state = async (isbn: string, wanted: RegExp): Promise<boolean> => {
          await page.fill("#id_value", isbn);
          if (!javaScriptEnabled) await page.click("button[value=id_value]");
          await page.locator("#id_value-state", { hasText: wanted }).waitFor();
          return page.locator("#id_value-state a").first().isVisible();
        };
        await page.goto(`${site}/books/add`);
        await page.fill("#book_title", `Added, with scripts: ${javaScriptEnabled}`);
        const states = [
          await state("9780141439511", /mistyped/),
          await state("0141439513", /Already in the catalog/),
        ];
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
      },
    );
    expect(seen).toEqual([[false, true], "Jane Austen", expect.stringContaining("Book added")]);
  });
});
