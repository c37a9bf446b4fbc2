import { describe, expect, inject, it } from "vitest";
import { NARROW, hasBrowser, loginState, withPage } from "../../scripts/lib/browser.ts";

const site = inject("site");
const LINES = [".shelf .cap cite", ".grid .cap cite", ".account summary b", ".res .small"];

/** Puts a long text into each line. Returns whether the line is cut, whether it shows the beginning, and its direction. */
const cutLines = (long: string): string => `${JSON.stringify(LINES)}.map((selector) => {
  const element = document.querySelector(selector);
  element.textContent = ${JSON.stringify(long)};
  const box = element.closest(".cap, .account summary b, .res .small");
  const range = document.createRange();
  range.setStart(element.firstChild, 0);
  range.setEnd(element.firstChild, 3);
  const [start, edges] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
  const isCut = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
  const showsStart = start.left >= edges.left - 1 && start.right <= edges.right + 1;
  return [selector, isCut, showsStart, getComputedStyle(box).direction];
})`;

describe.skipIf(!hasBrowser)("a long line", () => {
  it.each([
    ["ar", "A long Latin title. ".repeat(20), "ltr"],
    ["en", "عنوان عربي طويل جدا ".repeat(20), "rtl"],
  ])("is cut at its own end on a page in %s", async (locale, long, direction) => {
    const storageState = await loginState(site, "reader");
    const found = await withPage({ locale, storageState, viewport: NARROW }, async (page) => {
      await page.goto(`${site}/dev/components`);
      return page.evaluate(cutLines(long));
    });
    expect(found).toEqual(LINES.map((line) => [line, true, true, direction]));
  });
});
