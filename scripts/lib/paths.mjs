import path from "node:path";

/** The checkout. */
export const ROOT = path.resolve(import.meta.dirname, "../..");
/** Where `wrangler dev` keeps its state, and so `npm start` too unless told otherwise. */
export const DEFAULT_STATE = path.join(ROOT, ".wrangler/state/v3");
/** Where the bundles lie that local runtimes run, each in a folder of its own. */
export const BUNDLES = path.join(ROOT, "dist/local");
/** Name of the main file of a bundle. */
export const BUNDLE = "index.js";

/** @param {string} state */
export const tokenFile = (state) => path.join(state, "load-token");
/** @param {string} state */
export const sessionSecretFile = (state) => path.join(state, "session-secret");
/** @param {string} state */
export const coversSecretFile = (state) => path.join(state, "covers-secret");
/** @param {string} state */
export const lockFile = (state) => path.join(state, "carrel.pid");
/** @param {string} state */
export const seedFile = (state) => path.join(state, "seeded.json");
