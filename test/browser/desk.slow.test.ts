// Administration pages in a browser: forms, live progress of an import, and a dump.
import { describe, expect, inject, it } from "vitest";
import { hasBrowser, loginState, withPage } from "../../scripts/lib/browser.ts";

const site = inject("site");

describe.skipIf(!hasBrowser)("the desk", () => {
  it("says what was done, and keeps what was sent where it was refused", async () => {
    const [refused, typed, done] = await withPage(
      { storageState: await loginState(site, "openlibrary"), javaScriptEnabled: false },
      async (page) => {
        await page.goto(`${site}/admin/solr`);
        await page.fill("#keys", "/languages/eng");
        await page.click("main form button");
        const problem = await page.textContent("#keys-error");
        const kept = await page.inputValue("#keys");
        await page.fill("#keys", "/works/OL101W");
        await page.click("main form button");
        return [problem, kept, await page.textContent("main .notice.good")];
      },
    );
    expect(refused).toContain("/languages/eng");
    expect(typed).toBe("/languages/eng");
    expect(done).toContain("Reindexing started");
  });

  it("moves by itself while records are imported", async () => {
    const lines = Array.from({ length: 60 }, (_, n) =>
      JSON.stringify({
        title: `A book of the desk ${n}`,
        source_records: [`test:desk-${n}`],
        authors: [{ name: "Desk Writer" }],
        publishers: ["Desk"],
        publish_date: "1999",
      }),
    );
    const [first, last] = await withPage(
      { storageState: await loginState(site, "openlibrary") },
      async (page) => {
        await page.goto(`${site}/import/batch/new`);
        await page.fill("#batchImportText", lines.join("\n"));
        await page.click("main form button.primary");
        await page.click("main .facts a");
        const before = await page.textContent("#batch time");
        await page.waitForSelector("#batch progress", { state: "detached" });
        return [before, await page.textContent("#batch .facts")];
      },
    );
    expect(first).toMatch(/\d\d:\d\d/);
    expect(last).toContain("added: 60");
  });

  it("begins a dump, and shows how it gets on until it is published", async () => {
    const shown = await withPage({ storageState: await loginState(site, "openlibrary") }, async (page) => {
      await page.goto(`${site}/admin/dumps`);
      await page.locator("main button[value=full]").press("Enter");
      await page.waitForSelector("main .notice.good");
      await page.waitForSelector("#dumps td:has-text('Published')");
      return page.textContent("#dumps");
    });
    expect(shown).toMatch(/As of .*\d\d:\d\d/);
  });
});
