// Pages of other sites load `/api/books` as a script: what a browser makes of it.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, inject, it } from "vitest";
import { reportSkip } from "../support/node/skips.ts";
import { testServer } from "../support/node/test-server.ts";

const { main } = inject("carrel");
const elsewhere = testServer();
const run = promisify(execFile);
const BROWSER = "chromium";
const hasBrowser = await run(BROWSER, ["--version"]).then(
  () => true,
  () => false,
);
if (!hasBrowser) reportSkip("chromium");

/** Returns the HTML of a page after its scripts have run. */
async function shown(html: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-browser-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${folder}`, "--dump-dom"];
  elsewhere.answer = () => ({ headers: { "Content-Type": "text/html" }, body: html });
  try {
    return (await run(BROWSER, [...flags, elsewhere.url])).stdout;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

it.skipIf(!hasBrowser)("runs in a page, with and without a callback", { timeout: 120_000 }, async () => {
  const address = `${main}/api/books?bibkeys=ISBN:9780141439518`;
  const html = `<p>Nothing</p><script>
const say = (books) => document.body.append("[" + books["ISBN:9780141439518"].info_url + "]");
</script>
<script src="${address}"></script><script>say(_OLBookInfo)</script>
<script src="${address}&amp;callback=say"></script>`;
  const page = await shown(html);
  const found = `[${main}/books/OL1M/Pride_and_Prejudice]`;
  expect(page.split(found)).toHaveLength(3);
});
