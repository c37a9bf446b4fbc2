// A site below a path of its host (Q867), by `npm run serve`: the browser never leaves it.
import { execFileSync } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser, loginState, withPage } from "../../scripts/lib/browser.ts";
import { HOST } from "../../scripts/lib/runtime.ts";
import { ServiceProcess, freePorts } from "../../scripts/lib/service-process.ts";

const ROOT = "/catalog";
const READY_SECONDS = 180;
const RECORDS = Array.from({ length: 60 }, (_, number) =>
  JSON.stringify({
    title: `A book below a path ${number}`,
    source_records: [`test:below-${number}`],
    authors: [{ name: "Path Writer" }],
    publishers: ["Path"],
    publish_date: "1999",
  }),
);
const PASSWORD = "quiet-otter-57";
let site = "";
let service: ServiceProcess | undefined;

beforeAll(async () => {
  if (!hasBrowser) return;
  const [port = 0] = await freePorts(1);
  site = `http://${HOST}:${port}${ROOT}`;
  const state = path.join(await mkdtemp(path.join(os.tmpdir(), "carrel-prefix-")), "state");
  const options = ["--base-url", site, "--port", String(port), "--starter", "--state", state];
  service = ServiceProcess.serve(options);
  await service.ready(READY_SECONDS);
  const names = ["openlibrary", "--email", "openlibrary@example.com", "--state", state];
  const made = execFileSync(process.execPath, ["scripts/run.mjs", "administrator", ...names], {
    encoding: "utf8",
  });
  const [link = ""] = /http\S+/.exec(made) ?? [];
  await fetch(link, { method: "POST", body: new URLSearchParams({ password: PASSWORD }) });
}, READY_SECONDS * 1000);

afterAll(async () => {
  await service?.stop("SIGTERM").finally(() => service?.kill());
});

describe.skipIf(!hasBrowser)("a site below a path", () => {
  it("lets a reader sign in, search, shelve, list and borrow without a request outside of the path", async () => {
    const failures: string[] = [];
    const outside: string[] = [];
    const storageState = await loginState(site, "openlibrary", PASSWORD);
    const seen = await withPage({ storageState }, async (page) => {
      page.on("request", (request) => {
        if (!request.url().startsWith(`${site}/`)) outside.push(request.url());
      });
      page.on("response", (response) => {
        if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`);
      });
      page.on("console", (message) => message.type() === "error" && failures.push(message.text()));
      const at = () => page.url().replace(site, "");
      await page.goto(`${site}/`);
      await page.locator("#site-search").pressSequentially("mansfield");
      await page.waitForSelector("[role=option]");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/works\//);
      const found = await page.textContent("h1");
      await page.locator(".dropper button.primary").first().click();
      await page.waitForSelector(".toast.good");
      await page.click("header .account summary");
      await page.click("header .account a >> nth=2");
      const loans = at();
      await page.goto(`${site}/account/lists/add`);
      await page.fill("#name", "Below a path");
      await page.locator("#seeds_text").pressSequentially("northanger");
      await page.waitForSelector("[role=option]");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.click("main form button.primary");
      await page.waitForSelector("main .notice.good");
      const list = at();
      await page.goto(`${site}/import/batch/new`);
      await page.fill("#batchImportText", RECORDS.join("\n"));
      await page.click("main form button.primary");
      await page.click("main .facts a");
      // The end is seen by the stream of the page.
      await page.waitForSelector("#batch progress", { state: "detached" });
      const imported = await page.textContent("#batch .facts");
      await page.goto(`${site}/search?q=cities`);
      await page.selectOption("#site-language", "de");
      await page.click("footer form button");
      await page.waitForSelector("html[lang=de]");
      const translated = at();
      await page.goto(`${site}/borrow/ia/starter-cities-2003`);
      const reader = at();
      await page.goto(`${site}/account/loans`);
      const borrowed = await page.locator("main a[href*='/books/'], main a[href*='/works/']").count();
      await page.goto(`${site}/docs/search`);
      await page.locator("form.run button").first().click();
      await page.waitForSelector("pre.answer");
      const cookies = await page.context().cookies();
      const paths = [...new Set(cookies.map((cookie) => cookie.path))];
      return { found, loans, list, imported, translated, reader, hasLoan: borrowed > 0, paths };
    });
    expect({ ...seen, outside, failures }).toEqual({
      found: "Mansfield Park",
      loans: "/account/loans",
      list: expect.stringMatching(/^\/people\/openlibrary\/lists\/OL\d+L/),
      imported: expect.stringContaining("added: 60"),
      translated: "/search?q=cities",
      reader: expect.stringMatching(/^\/stream\/starter-cities-2003/),
      hasLoan: true,
      paths: [ROOT],
      outside: [],
      failures: [],
    });
  });
});
