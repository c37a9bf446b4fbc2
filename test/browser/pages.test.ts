// The pages as people see them, in a browser: accessible, whole on small screens, light, and still while they load.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { NARROW, WIDE, closeBrowser, hasBrowser, loginState, withPage } from "../../scripts/lib/browser.mjs";

const site = inject("site");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A page of each type, and whose: without a name, nobody's. */
const PAGES: readonly (readonly [path: string, who?: string])[] = [
  ["/"],
  ["/search?q=love"],
  ["/search?q=xqzzyq"],
  ["/works/OL101W"],
  ["/works/OL101W", "patron"],
  ["/books/OL101M"],
  ["/authors/OL101A"],
  ["/subjects"],
  ["/subjects/fantasy"],
  ["/about"],
  ["/help"],
  ["/nothing"],
  ["/account/login"],
  ["/account/api-key", "patron"],
  ["/docs"],
  ["/docs/subjects"],
  ["/imports"],
  ["/data"],
  ["/stats"],
  ["/dev/components"],
  ["/dev/components", "patron"],
];
/** In Arabic everything is the other way round. */
const FROM_RIGHT = ["/", "/search?q=love", "/works/OL101W", "/authors/OL101A"];

/** What a public page weighs at most with its style and script, in bytes as they are sent. */
const WEIGHT_MAX = 40 * 1024;
/** How far the parts of a page move while it loads (Layout Instability, as a score). */
const SHIFT_MAX = 0.02;

let patron: Awaited<ReturnType<typeof loginState>> | undefined;
beforeAll(async () => {
  if (hasBrowser) patron = await loginState(site, "patron");
});
afterAll(closeBrowser);

const stateOf = (who: string | undefined) => (who === undefined ? {} : { storageState: patron });

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds, as far as it is certain. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate<Violation[]>("axe.run().then(({ violations }) => violations)");
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

describe.skipIf(!hasBrowser)("pages", () => {
  it.each(PAGES)("%s as %s shut nobody out, and fit onto the smallest screens", async (path, who) => {
    const found = await withPage({ ...stateOf(who), bypassCSP: true }, async (page) => {
      await page.goto(site + path);
      const all: Record<string, string[]> = {};
      for (const [size, viewport] of Object.entries({ WIDE, NARROW })) {
        await page.setViewportSize(viewport);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          all[`${size} ${colorScheme}`] = await violations(page);
        }
      }
      await page.setViewportSize({ width: 320, height: 640 });
      return { ...all, overflow: await overflow(page) };
    });
    expect(found).toEqual({
      "WIDE light": [],
      "WIDE dark": [],
      "NARROW light": [],
      "NARROW dark": [],
      overflow: 0,
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

  it.each(PAGES.filter(([, who]) => who === undefined))(
    "%s are light, and stay where they are",
    async (path) => {
      const [weight, shift] = await withPage({ viewport: NARROW }, async (page) => {
        const bodies: Promise<Buffer>[] = [];
        page.on("response", (response) => {
          const kind = response.request().resourceType();
          const isCounted = response.ok() && ["document", "stylesheet", "script"].includes(kind);
          if (isCounted) bodies.push(response.body());
        });
        await page.addInitScript({ content: SHIFTS });
        await page.goto(site + path, { waitUntil: "networkidle" });
        const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
        return [sizes.reduce((sum, size) => sum + size, 0), await page.evaluate<number>("shift")];
      });
      expect(weight).toBeLessThanOrEqual(WEIGHT_MAX);
      expect(shift).toBeLessThanOrEqual(SHIFT_MAX);
    },
  );
});
