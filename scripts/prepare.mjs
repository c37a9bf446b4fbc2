// Run by wrangler before it bundles (wrangler.toml, [build]): puts the documentation page's files in place
// and, for `wrangler dev`, brings the local databases up to date, so that it works on a fresh checkout.
import { copyDocsAssets } from "./lib/bundle.mjs";

await copyDocsAssets();
if (process.env["WRANGLER_COMMAND"] === "dev") {
  const { prepareState } = await import("./lib/state.mjs");
  try {
    await prepareState();
  } catch (error) {
    // A state in use, for instance: wrangler stops and shows this.
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
