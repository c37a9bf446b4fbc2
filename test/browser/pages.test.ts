// The pages as people see them, in a browser: accessible, whole on small screens, light, and still while they load.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { NARROW, WIDE, closeBrowser, hasBrowser, loginState, withPage } from "../../scripts/lib/browser.mjs";

const site = inject("site");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Pages of each type, and whose: without a name, nobody's. */
const PAGES: readonly (readonly [type: string, path: string, who?: string])[] = [
  ["home", "/"],
  ["home", "/explore"],
  ["result", "/search?q=love"],
  ["result", "/search?q=xqzzyq"],
  ["result", "/search/authors?q=jane"],
  ["book", "/works/OL101W"],
  ["book", "/works/OL101W", "patron"],
  ["book", "/books/OL104M"],
  ["collection", "/authors/OL101A"],
  ["collection", "/subjects/fantasy"],
  ["collection", "/publishers/Project_Gutenberg"],
  ["collection", "/series/OL101L"],
  ["collection", "/subjects"],
  ["collection", "/lists"],
  ["my books", "/people/patron/books", "patron"],
  ["my books", "/people/patron"],
  ["form", "/account/login"],
  ["form", "/advancedsearch"],
  ["form", "/libraries/register"],
  ["form", "/books/add", "patron"],
  ["form", "/works/OL101W/edit", "patron"],
  ["life of a record", "/works/OL101W?m=history"],
  ["life of a record", "/recentchanges"],
  ["life of a record", "/merges"],
  ["desk", "/imports"],
  ["desk", "/data"],
  ["desk", "/stats"],
  ["desk", "/admin", "openlibrary"],
  ["message", "/nothing"],
  ["message", "/isbn/123"],
  ["message", "/works/OL101W?v=99"],
  ["text", "/about"],
  ["text", "/covers"],
  ["reference", "/docs"],
  ["reference", "/docs/subjects"],
  ["components", "/dev/components", "patron"],
];
/** In Arabic everything is the other way round. */
const FROM_RIGHT = ["/", "/search?q=love", "/works/OL101W", "/authors/OL101A"];

/** What a public page weighs at most with its style and script, in bytes as they are sent. */
const WEIGHT_MAX = 40 * 1024;
/** How far the parts of a page move while it loads (Layout Instability, as a score). */
const SHIFT_MAX = 0.02;

const states = new Map<string, Awaited<ReturnType<typeof loginState>>>();
beforeAll(async () => {
  if (!hasBrowser) return;
  for (const name of ["patron", "openlibrary"]) states.set(name, await loginState(site, name));
});
afterAll(closeBrowser);

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds, as far as it is certain; by all rules unless some are named. */
async function violations(page: Page, ...rules: string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe);
  const options = JSON.stringify(rules.length === 0 ? {} : { runOnly: rules });
  const found = await page.evaluate<Violation[]>(`axe.run(${options}).then(({ violations }) => violations)`);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

/** By how many pixels a page is wider than the window. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");

/** Sums up how far parts of the page move while it loads. */
const SHIFTS = `globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) globalThis.shift += value;
}).observe({ type: "layout-shift", buffered: true });`;

/** Covers on which nothing is seen: neither an image nor the title on its cloth, but where that stands beside. */
const BLANK = `[...document.querySelectorAll(".cover")].filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  const text = one.querySelector("b");
  return width < 20 || height < 30 || (one.innerText.trim() === "" && getComputedStyle(text).display !== "none");
}).length`;

/** Sizes of what a page is made of, gzipped, while it loads. */
function weighed(page: Page): () => Promise<number> {
  const bodies: Promise<Buffer>[] = [];
  page.on("response", (response) => {
    const isCounted = ["document", "stylesheet", "script"].includes(response.request().resourceType());
    const isRedirect = response.status() >= 300 && response.status() < 400;
    if (isCounted && !isRedirect) bodies.push(response.body());
  });
  return async () => (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0);
}

describe.skipIf(!hasBrowser)("pages", () => {
  it.each(PAGES)("%s: %s as %s is light and still, shuts nobody out, and fits", async (_type, path, who) => {
    const storageState = who === undefined ? undefined : states.get(who);
    const found = await withPage({ ...(storageState && { storageState }), bypassCSP: true }, async (page) => {
      const weight = weighed(page);
      await page.addInitScript({ content: SHIFTS });
      await page.setViewportSize(NARROW);
      await page.goto(site + path, { waitUntil: "load" });
      // What has moved is told after it was painted.
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      const shift = await page.evaluate<number>("shift");
      const narrow = await violations(page);
      // Only colours differ in the dark.
      await page.emulateMedia({ colorScheme: "dark" });
      const narrowDark = await violations(page, "color-contrast");
      await page.setViewportSize(WIDE);
      const wideDark = await violations(page, "color-contrast");
      await page.emulateMedia({ colorScheme: "light" });
      const wide = await violations(page);
      const blank = await page.evaluate<number>(BLANK);
      await page.setViewportSize({ width: 320, height: 640 });
      return {
        violations: { narrow, narrowDark, wide, wideDark },
        overflow: await overflow(page),
        blank,
        isLight: (await weight()) <= WEIGHT_MAX,
        isStill: shift <= SHIFT_MAX,
      };
    });
    expect(found).toEqual({
      violations: { narrow: [], narrowDark: [], wide: [], wideDark: [] },
      overflow: 0,
      blank: 0,
      isLight: true,
      isStill: true,
    });
  });

  it.each(FROM_RIGHT)("%s fits from right to left", async (path) => {
    const found = await withPage({ locale: "ar", bypassCSP: true, viewport: NARROW }, async (page) => {
      await page.goto(site + path);
      const all = await violations(page);
      await page.setViewportSize({ width: 320, height: 640 });
      return [await page.getAttribute("html", "dir"), all, await overflow(page)];
    });
    expect(found).toEqual(["rtl", [], 0]);
  });
});
