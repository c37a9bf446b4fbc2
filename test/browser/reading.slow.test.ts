// Reading logs in a browser: lists, dates, an import from Goodreads, and finding other readers.
import { describe, expect, inject, it } from "vitest";
import { NARROW, hasBrowser, loginState, withPage } from "../../scripts/lib/browser.ts";

const site = inject("site");

/** A file as Goodreads exports it, of a book that is here and of one that is not. */
const fileWith = (missing: string) => `Book Id,Title,Author,ISBN,ISBN13,My Rating,Date Read,Exclusive Shelf
1,Pride and Prejudice,Jane Austen,0141439513,,5,2026/02/03,read
2,${missing},Nobody,9780306406157,,0,,to-read
`;

describe.skipIf(!hasBrowser).each([false, true])("with scripts: %s", (javaScriptEnabled) => {
  it("a file of Goodreads is looked at, taken over, and what is not here is named", async () => {
    const missing = `Missing with scripts ${javaScriptEnabled}`;
    const result = await withPage(
      { storageState: await loginState(site, "reader"), javaScriptEnabled },
      async (page) => {
        await page.goto(`${site}/account/import`);
        await page.setInputFiles("#csv", {
          name: "goodreads.csv",
          mimeType: "text/csv",
          buffer: Buffer.from(fileWith(missing)),
        });
        await page.click("main form button");
        await page.click("main form button.primary");
        await page.waitForSelector("main .notice.good");
        // Without scripts the browser loads the page anew by itself.
        await page.waitForSelector(`#import th:has-text('${missing}')`, { state: "attached" });
        return page.textContent("#import");
      },
    );
    expect(result).toMatch(/Missing with[^]*9780306406157/);
    expect(result).toMatch(/\d\d:\d\d/);
  });
});

describe.skipIf(!hasBrowser)("without scripts", () => {
  it("a book comes into a list by two actions", async () => {
    const name = "By two actions";
    const [there, notice] = await withPage(
      { storageState: await loginState(site, "reader"), javaScriptEnabled: false },
      async (page) => {
        await page.goto(`${site}/account/lists/add`);
        await page.fill("#name", name);
        await page.click("main form button.primary");
        await page.waitForSelector("main .notice.good");
        await page.goto(`${site}/works/OL104W`);
        await page.click(".side > a.button");
        await page.click(`main button:has-text("${name}")`);
        await page.waitForSelector("main .notice.good");
        return [new URL(page.url()).pathname, await page.textContent("main .notice")];
      },
    );
    expect(there).toMatch(/^\/works\/OL104W/);
    expect(notice).toContain("List updated");
  });

  it("a date that is none keeps its form, and one that is comes into the year", async () => {
    const [error, kept, read] = await withPage(
      { storageState: await loginState(site, "reader"), javaScriptEnabled: false },
      async (page) => {
        await page.goto(`${site}/people/reader/books/notes?work=OL105W`);
        await page.fill("#date", "31 May");
        await page.locator("#date").press("Enter");
        const said = await page.textContent("#date-error");
        const typed = await page.inputValue("#date");
        await page.fill("#date", "2026-05-31");
        await page.locator("#date").press("Enter");
        await page.waitForSelector("main .notice.good");
        return [said, typed, await page.textContent("#dates + ul")];
      },
    );
    expect([error, kept]).toEqual([expect.stringContaining("2026-05-10"), "31 May"]);
    expect(read).toContain("31 May 2026");
  });
});

describe.skipIf(!hasBrowser)("readers", () => {
  it("are found by their names and followed, by keyboard, on a phone", async () => {
    const said = await withPage(
      { storageState: await loginState(site, "reader"), viewport: NARROW },
      async (page) => {
        await page.goto(`${site}/account/privacy`);
        await page.check("#public_readlog");
        await page.locator("#public_readlog").press("Enter");
        await page.waitForSelector("main .notice.good");
        await page.goto(`${site}/people`);
        await page.fill("#q", "read");
        await page.keyboard.press("Enter");
        await page.waitForURL(/q=read/);
        await page.locator(".people h2 a").press("Enter");
        await page.waitForURL(/\/people\/reader$/);
        return page.textContent("h1");
      },
    );
    expect(said).toBe("reader");
  });
});
