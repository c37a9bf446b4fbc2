import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "../..");
/** Default state of `wrangler dev` and `npm start`. */
export const DEFAULT_STATE = path.join(ROOT, ".wrangler/state/v3");
/** Folder of the bundles of local runtimes. */
export const BUNDLES = path.join(ROOT, "dist/local");
/** Folder of the bundle that is deployed. */
export const DEPLOYED_BUNDLE = path.join(ROOT, "dist/worker");
/** Main file of a bundle. */
export const BUNDLE = "index.js";
