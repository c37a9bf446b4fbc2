// Run by wrangler before it bundles (wrangler.toml, [build]): for `wrangler dev` it brings the local databases up to date, so
// that it works on a fresh checkout.
if (process.env["WRANGLER_COMMAND"] === "dev") {
  const { prepareState } = await import("./lib/state.ts");
  try {
    await prepareState();
  } catch (error) {
    // A state in use, for instance: wrangler stops and shows this.
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
