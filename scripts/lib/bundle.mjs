import path from "node:path";
import { context } from "esbuild";
import { keepBundle } from "./kept-bundle.mjs";
import { BUNDLE, BUNDLES, ROOT } from "./paths.mjs";

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
