// Chromium for the tests that look at pages, and for `npm run pictures`.
import { existsSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  chromium,
} from "playwright-core";

type LoginState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Where distributions have it. */
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = PLACES.find((place) => existsSync(place));

/** Whether there is one. */
export const hasBrowser = executablePath !== undefined;

/** Windows in which pages are looked at. */
export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 390, height: 844 };

let started: Promise<Browser> | undefined;

/** Closes the browser of this process, if it was started. Without it, the browser ends with the process. */
export async function closeBrowser() {
  await (await started)?.close();
  started = undefined;
}

/** Does something with a page of its own, on which nobody is logged in unless `options` say so. */
export async function withPage<Value>(options: BrowserContextOptions, use: (page: Page) => Promise<Value>) {
  started ??= chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const context = await (await started).newContext({ viewport: WIDE, ...options });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Sessions by site and account: logging in takes as long as a test. */
const logins: Map<string, Promise<LoginState>> = new Map();

/**
 * Logs a development account in through the login form, once for each process. Returns the cookies of its session.
 * `name`: also the password.
 */
export function loginState(site: string, name: string) {
  const id = `${name} ${site}`;
  const login = logins.get(id) ?? logIn(site, name);
  logins.set(id, login);
  return login;
}

function logIn(site: string, name: string) {
  return withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto(`${site}/account/login`);
    await page.fill("main #username", `${name}@example.com`);
    await page.fill("main #password", name);
    await page.click("main form button");
    await page.waitForURL((url) => !url.pathname.startsWith("/account/login"));
    return page.context().storageState();
  });
}
