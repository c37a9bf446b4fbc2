import { copyFile, mkdir, readFile, rename } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { ROOT } from "./paths.mjs";

const FILES = ["swagger-ui.css", "swagger-ui-bundle.js"];

/** Puts the files of the documentation page where the service can serve them itself. */
export async function copyDocsAssets() {
  const require = createRequire(import.meta.url);
  const source = path.dirname(require.resolve("swagger-ui-dist/package.json"));
  const target = path.join(ROOT, "public/docs/assets");
  await mkdir(target, { recursive: true });
  for (const file of FILES) await renew(path.join(source, file), path.join(target, file));
}

/**
 * Another service may be reading the copy, and one that starts reads all names of its folder.
 * @param {string} source
 * @param {string} target
 */
async function renew(source, target) {
  const [wanted, found] = await Promise.all([readFile(source), readFile(target).catch(() => undefined)]);
  if (found?.equals(wanted)) return;
  const own = path.join(ROOT, "dist", `${path.basename(target)}.${process.pid}`);
  await mkdir(path.dirname(own), { recursive: true });
  await copyFile(source, own);
  await rename(own, target);
}
