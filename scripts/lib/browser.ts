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

/** Installation paths of Linux distributions. */
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = PLACES.find((place) => existsSync(place));

export const hasBrowser = executablePath !== undefined;

/** Viewports of the tests. */
export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 390, height: 844 };

let started: Promise<Browser> | undefined;

/** Closes the browser of this process if it was started. Otherwise the browser ends with the process. */
export async function closeBrowser() {
  await (await started)?.close();
  started = undefined;
}

/** Calls `use` with a new page, which is not logged in unless `options` contain a session. */
export async function withPage<Value>(options: BrowserContextOptions, use: (page: Page) => Promise<Value>) {
  started ??= chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const context = await (await started).newContext({ viewport: WIDE, ...options });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Sessions by site and account. A login takes as long as a test. */
const logins: Map<string, Promise<LoginState>> = new Map();

/** Logs a development account in through the login form, once per process. Returns the cookies of its session. */
export function loginState(site: string, name: string, password = name) {
  const id = `${name} ${site}`;
  const login = logins.get(id) ?? logIn(site, name, password);
  logins.set(id, login);
  return login;
}

function logIn(site: string, name: string, password: string) {
  return withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto(`${site}/account/login`);
    await page.fill("main #username", `${name}@example.com`);
    await page.fill("main #password", password);
    await page.click("main form button");
    await page.waitForURL((url) => !url.pathname.startsWith("/account/login"));
    return page.context().storageState();
  });
}
