// Checks of a page in Chromium: accessibility, overflow, weight, and parts that move while it loads.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { NARROW, WIDE, loginState, withPage } from "../../../scripts/lib/browser.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A page: its type, its address, and the account that opens it; without an account, no user is signed in. */
export type CheckedPage = readonly [type: string, path: string, account?: string];

/** Several pages of each type. The first one of a type stands for it. */
export const PAGES: readonly CheckedPage[] = [
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
  ["form", "/admin/site", "openlibrary"],
  ["form", "/account/tokens", "patron"],
  ["life of a record", "/works/OL101W?m=history"],
  ["life of a record", "/recentchanges"],
  ["life of a record", "/merges"],
  ["life of a record", "/proposals", "patron"],
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

/** Windows and colour schemes in which axe runs. */
export type Mode = "narrow" | "wide" | "narrow, dark" | "wide, dark";
/** Colours alone differ in the dark, so axe checks nothing but contrast there. */
const ALL_MODES: readonly Mode[] = ["narrow", "narrow, dark", "wide, dark", "wide"];

/** Most bytes of a page with its style and script, gzipped. */
const WEIGHT_MAX = 40 * 1024;
/** Highest layout shift of a page while it loads (Layout Instability score). */
const SHIFT_MAX = 0.02;
/** Width of the narrowest screens that pages have to fit, with a height. */
const NARROWEST = { width: 320, height: 640 };

/** Adds up how far parts of the page move while it loads. */
const SHIFTS = `globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) globalThis.shift += value;
}).observe({ type: "layout-shift", buffered: true });`;

/** Counts covers that show neither an image nor a title, unless the title stands beside them. */
const BLANK = `[...document.querySelectorAll(".cover")].filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  const text = one.querySelector("b");
  return width < 20 || height < 30 || (one.innerText.trim() === "" && getComputedStyle(text).display !== "none");
}).length`;

/** Opens a page and returns all problems, in words. Axe runs in each of the modes. */
export async function problemsOf(
  site: string,
  [, path, account]: CheckedPage,
  modes: readonly Mode[] = ALL_MODES,
): Promise<string[]> {
  const session = account === undefined ? {} : { storageState: await loginState(site, account) };
  const viewport = modes[0]?.startsWith("wide") ? WIDE : NARROW;
  return withPage({ ...session, viewport, bypassCSP: true }, async (page) => {
    const weight = weigh(page);
    await page.addInitScript({ content: SHIFTS });
    await page.goto(site + path, { waitUntil: "load" });
    // The browser reports shifts after the next paint.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    const shift = await page.evaluate<number>("shift");
    const problems = shift > SHIFT_MAX ? [`moves while it loads: ${shift}`] : [];
    for (const mode of modes) {
      const isDark = mode.endsWith("dark");
      await page.setViewportSize(mode.startsWith("wide") ? WIDE : NARROW);
      await page.emulateMedia({ colorScheme: isDark ? "dark" : "light" });
      const found = await violationsIn(page, isDark ? ["color-contrast"] : []);
      const layout = [...(await excessOf(page)), ...(await page.evaluate<string[]>(FALLEN_LABELS))];
      problems.push(...[...found, ...layout].map((text) => `${mode}: ${text}`));
    }
    const blank = await page.evaluate<number>(BLANK);
    if (blank > 0) problems.push(`${blank} blank covers`);
    problems.push(...(await overflowOf(page)));
    const bytes = await weight();
    if (bytes > WEIGHT_MAX) problems.push(`weighs ${bytes} bytes`);
    return problems;
  });
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Runs axe, with all rules unless some are named, and returns the violations that it is certain of. */
export async function violationsIn(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE);
  // Without details of what passed, which nothing reads.
  const options = { resultTypes: ["violations"], ...(rules.length > 0 && { runOnly: rules }) };
  const found = await page.evaluate<Violation[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

/** Expression that lists labels that stand below their checkbox or radio button. */
const FALLEN_LABELS = `[...document.querySelectorAll(".check")].filter((row) => {
  const [box, label] = [row.querySelector("input"), row.querySelector("label")];
  return box?.offsetParent && label?.getBoundingClientRect().top >= box.getBoundingClientRect().bottom;
}).map((row) => "label below its box: " + row.textContent.trim())`;

/** Returns a problem if the page is wider than its window. */
async function excessOf(page: Page): Promise<string[]> {
  const pixels = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  return pixels > 0 ? [`${pixels} pixels wider than the window`] : [];
}

/** Makes the window as narrow as it gets. Returns a problem if the page is wider. */
export async function overflowOf(page: Page): Promise<string[]> {
  await page.setViewportSize(NARROWEST);
  return excessOf(page);
}

/** Adds up the gzipped sizes of the document, styles and scripts that the page loads from now on. */
function weigh(page: Page): () => Promise<number> {
  const bodies: Promise<Buffer>[] = [];
  page.on("response", (response) => {
    const isCounted = ["document", "stylesheet", "script"].includes(response.request().resourceType());
    const isRedirect = response.status() >= 300 && response.status() < 400;
    if (isCounted && !isRedirect) bodies.push(response.body());
  });
  return async () => (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0);
}
