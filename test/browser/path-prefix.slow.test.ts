// A site below a path of its host (Q867): a proxy takes the path off, and the browser never leaves it.
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser, loginState, withPage } from "../../scripts/lib/browser.ts";
import { HOST } from "../../scripts/lib/runtime.ts";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";

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
/** Requests of the browser beside the site. */
const outside: string[] = [];
let behind = "";
let site = "";
let service: ServiceProcess | undefined;

const proxy = http.createServer((request, response) => {
  const { url = "", method, headers } = request;
  if (!url.startsWith(`${ROOT}/`)) {
    outside.push(`${method} ${url} of ${headers.referer}`);
    response.writeHead(404).end();
    return;
  }
  const call = http.request(behind + url.slice(ROOT.length), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  call.on("error", () => response.destroy());
  response.on("close", () => call.destroy());
  request.pipe(call);
});

beforeAll(async () => {
  if (!hasBrowser) return;
  proxy.listen(0, HOST);
  await once(proxy, "listening");
  site = `http://${HOST}:${Object(proxy.address()).port}${ROOT}`;
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-prefix-"));
  const ports = ["record-store", "search", "cover-store"].flatMap((name) => [`--${name}-port`, "0"]);
  service = ServiceProcess.start([...ports, "--state", path.join(folder, "state")], {
    BASE_URL: site,
    COVERS_PUBLIC_URL: "",
  });
  behind = await service.ready(READY_SECONDS);
}, READY_SECONDS * 1000);

afterAll(async () => {
  proxy.close();
  proxy.closeAllConnections();
  await service?.stop("SIGTERM").finally(() => service?.kill());
});

describe.skipIf(!hasBrowser)("a site below a path", () => {
  it("lets a reader sign in, search, shelve, list and borrow without a request outside of the path", async () => {
    const failures: string[] = [];
    const storageState = await loginState(site, "openlibrary");
    const seen = await withPage({ storageState }, async (page) => {
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
