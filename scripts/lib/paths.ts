import path from "node:path";

/** The checkout. */
export const ROOT = path.resolve(import.meta.dirname, "../..");
/** Where `wrangler dev` keeps its state, and so `npm start` too unless told otherwise. */
export const DEFAULT_STATE = path.join(ROOT, ".wrangler/state/v3");
/** Where the bundles lie that local runtimes run, each in a folder of its own. */
export const BUNDLES = path.join(ROOT, "dist/local");
/** Name of the main file of a bundle. */
export const BUNDLE = "index.js";
