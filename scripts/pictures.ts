// Takes pictures of the pages of a running development service that has the starter catalog.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { NARROW, WIDE, closeBrowser, loginState, withPage } from "./lib/browser.ts";
import { CommandError, readOptions, runCommand } from "./lib/command.ts";

const HELP = `usage: npm run pictures -- DIR [options]

Pictures of every type of page, wide and narrow, light and dark, of a development service with the starter catalog.

  --url URL   where it is (default: http://127.0.0.1:8080)
  --small     half as wide, as JPEG: those of README.md
  --help      this text`;

const PAGES: readonly (readonly [name: string, path: string, who?: string])[] = [
  ["home", "/"],
  ["search", "/search?q=love"],
  ["book", "/works/OL101W"],
  ["author", "/authors/OL101A"],
  ["subject", "/subjects/fantasy"],
  ["my-books", "/account/books", "patron"],
  ["form", "/books/add", "patron"],
  ["history", "/works/OL101W?m=history"],
  ["desk", "/admin", "admin"],
  ["message", "/nothing"],
];

const { values, positionals } = readOptions(HELP, {
  options: { url: { type: "string", default: "http://127.0.0.1:8080" }, small: { type: "boolean" } },
  allowPositionals: true,
});

async function main() {
  const [folder] = positionals;
  if (folder === undefined) throw new CommandError("Please name a folder for the pictures.");
  const site = String(values["url"]).replace(/\/$/, "");
  await mkdir(folder, { recursive: true });
  for (const [name, address, who] of PAGES) {
    const storageState = who === undefined ? undefined : await loginState(site, who);
    for (const [size, viewport] of Object.entries({ wide: WIDE, narrow: NARROW })) {
      for (const colorScheme of ["light", "dark"] as const) {
        const look = { viewport, colorScheme, storageState, deviceScaleFactor: values["small"] ? 0.5 : 1 };
        await withPage(look, async (page) => {
          await page.goto(site + address, { waitUntil: "networkidle" });
          const file = path.join(folder, `${name}-${size}-${colorScheme}`);
          await page.screenshot(
            values["small"] ? { path: `${file}.jpg`, quality: 70 } : { path: `${file}.png` },
          );
        });
      }
    }
  }
  console.log(`${PAGES.length * 4} pictures in ${folder}`);
}

await runCommand(() => main().finally(closeBrowser), "Stopped.");
