// Chromium for the tests that look at pages, and for `npm run pictures`.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

/** @import { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core" */
/** @typedef {Awaited<ReturnType<BrowserContext["storageState"]>>} LoginState */

/** Where distributions have it. */
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = PLACES.find((place) => existsSync(place));

/** Whether there is one. */
export const hasBrowser = executablePath !== undefined;

/** Windows in which pages are looked at. */
export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 390, height: 844 };

/** @type {Promise<Browser> | undefined} */
let started;

/** Closes the browser of this process, if it was started. Without it, the browser ends with the process. */
export async function closeBrowser() {
  await (await started)?.close();
  started = undefined;
}

/**
 * Does something with a page of its own, on which nobody is logged in unless `options` say so.
 * @template Value
 * @param {BrowserContextOptions} options
 * @param {(page: Page) => Promise<Value>} use
 */
export async function withPage(options, use) {
  started ??= chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const context = await (await started).newContext({ viewport: WIDE, ...options });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

/**
 * Sessions by site and account: logging in takes as long as a test.
 * @type {Map<string, Promise<LoginState>>}
 */
const logins = new Map();

/**
 * Logs a development account in through the login form, once for each process. Returns the cookies of its session.
 * @param {string} site
 * @param {string} name also the password
 */
export function loginState(site, name) {
  const id = `${name} ${site}`;
  const login = logins.get(id) ?? logIn(site, name);
  logins.set(id, login);
  return login;
}

/** @param {string} site @param {string} name */
function logIn(site, name) {
  return withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto(`${site}/account/login`);
    await page.fill("main #username", `${name}@example.com`);
    await page.fill("main #password", name);
    await page.click("main form button");
    await page.waitForURL((url) => !url.pathname.startsWith("/account/login"));
    return page.context().storageState();
  });
}
