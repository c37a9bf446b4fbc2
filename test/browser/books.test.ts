// Finding books and putting them onto shelves in a browser, with scripts and without.
import { describe, expect, inject, it } from "vitest";
import { hasBrowser, loginState, withPage } from "../../scripts/lib/browser.ts";

const site = inject("site");

describe.skipIf(!hasBrowser)("search by keyboard", () => {
  it("completes the typed title and opens the chosen book", async () => {
    const found = await withPage({}, async (page) => {
      await page.goto(site);
      await page.focus("#site-search");
      await page.keyboard.type("pride and", { delay: 20 });
      await page.waitForSelector("[role=option]");
      await page.keyboard.press("ArrowDown");
      const active = await page.getAttribute("#site-search", "aria-activedescendant");
      const text = await page.textContent(`[id="${active}"]`);
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/works\//);
      return [text, await page.textContent("h1")];
    });
    expect(found).toEqual([expect.stringContaining("Pride and Prejudice"), "Pride and Prejudice"]);
  });
});

describe.skipIf(!hasBrowser)("suggestions", () => {
  it.each([
    ["#site-search", "/", "pride adn prejudce", "Pride and Prejudice"],
    ["[id='authors--0--author--key']", "/books/add", "jane austin", "Jane Austen"],
  ])("in %s of %s forgive %s (Q831)", async (field, path, typed, expected) => {
    const storageState = await loginState(site, "patron");
    const text = await withPage({ storageState }, async (page) => {
      await page.goto(site + path);
      await page.focus(field);
      await page.keyboard.type(typed);
      await page.waitForSelector("[role=option]");
      return page.textContent("[role=option]");
    });
    expect(text).toContain(expected);
  });
});

describe.skipIf(!hasBrowser).each([false, true])("shelves with scripts: %s", (javaScriptEnabled) => {
  it("put a book onto a shelf, move it and remove it, and the page shows each state", async () => {
    const storageState = await loginState(site, "reader");
    const states = await withPage({ storageState, javaScriptEnabled }, async (page) => {
      await page.goto(`${site}/works/OL102W`);
      const shown: (string | null)[] = [];
      const next = async (selector: string, wanted: string) => {
        await page.click(selector);
        await page.waitForSelector(wanted);
        shown.push(await page.textContent(".side .dropper :is(.on, form > button)"));
      };
      await next(".side .dropper button[value='1']", ".side .dropper .on");
      await page.click(".side .dropper summary");
      await next(".side .dropper button[value='3']", ".side .on:has-text('Already')");
      await page.click(".side .dropper summary");
      await next(".side .dropper button[value='-1']", ".side .dropper button.primary");
      return shown;
    });
    expect(states).toEqual([
      expect.stringContaining("Want to read"),
      expect.stringContaining("Already read"),
      expect.stringContaining("Want to read"),
    ]);
  });
});
