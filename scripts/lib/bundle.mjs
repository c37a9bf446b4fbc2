import { copyFile, mkdir, readFile, rename } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { context } from "esbuild";
import { keepBundle } from "./kept-bundle.mjs";
import { BUNDLE, BUNDLES, ROOT } from "./paths.mjs";

/** Files of the documentation page that come from a package. */
const DOCS_FILES = ["swagger-ui.css", "swagger-ui-bundle.js"];

/**
 * Bundles the worker for the local runtime. The bundle lies in `folder`, which is another one after a rebuild.
 * @param {{ main: string, onRebuilt?: () => Promise<void> }} options
 */
export async function bundler({ main, onRebuilt }) {
  let folder = "";
  const building = await context({
    entryPoints: [path.join(ROOT, main)],
    // As deep as the folder that it is put into: the source map counts from there.
    outfile: path.join(BUNDLES, "bundle", BUNDLE),
    write: false,
    bundle: true,
    format: "esm",
    target: "es2024",
    platform: "neutral",
    mainFields: ["workerd", "module", "main"],
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    // Compiled code stays a file beside the bundle: the runtime takes it as a module.
    loader: { ".wasm": "copy" },
    assetNames: "[name]",
    sourcemap: "linked",
    logLevel: "warning",
    plugins: [
      {
        name: "keep",
        setup: (build) => {
          build.onEnd(async ({ errors, outputFiles = [] }) => {
            if (errors.length > 0) return;
            const before = folder;
            const files = outputFiles.map((file) => ({
              name: path.basename(file.path),
              contents: file.contents,
            }));
            folder = await keepBundle(BUNDLES, files);
            if (before !== "" && folder !== before) await onRebuilt?.();
          });
        },
      },
    ],
  });
  await building.rebuild();
  return {
    get folder() {
      return folder;
    },
    watch: () => building.watch(),
    dispose: () => building.dispose(),
  };
}

/** Puts the files of the documentation page where the service can serve them itself. */
export async function copyDocsAssets() {
  const require = createRequire(import.meta.url);
  const source = path.dirname(require.resolve("swagger-ui-dist/package.json"));
  const target = path.join(ROOT, "public/docs/assets");
  await mkdir(target, { recursive: true });
  for (const file of DOCS_FILES) await renew(path.join(source, file), path.join(target, file));
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
