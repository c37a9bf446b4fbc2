import { copyFile, mkdir } from "node:fs/promises";
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
  for (const file of FILES) await copyFile(path.join(source, file), path.join(target, file));
}
