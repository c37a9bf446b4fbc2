import path from "node:path";
import { context } from "esbuild";
import { BUNDLE, ROOT } from "./paths.mjs";

/**
 * Bundles the worker for the local runtime.
 * @param {{ main: string, onRebuilt?: () => Promise<void> }} options
 */
export async function bundler({ main, onRebuilt }) {
  let builds = 0;
  return context({
    entryPoints: [path.join(ROOT, main)],
    outfile: BUNDLE,
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
        name: "rebuilt",
        setup: (build) => {
          build.onEnd(async ({ errors }) => {
            builds += 1;
            if (builds > 1 && errors.length === 0) await onRebuilt?.();
          });
        },
      },
    ],
  });
}
