// Bundles as for a deploy, without deploying, and prints the size.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { ROOT } from "./lib/paths.mjs";

const wrangler = path.join(ROOT, "node_modules/wrangler/wrangler-dist/cli.js");
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [wrangler, "deploy", "--dry-run", "--outdir", "dist/deploy"],
  { cwd: ROOT, encoding: "utf8", env: { ...process.env, WRANGLER_SEND_METRICS: "false" } },
);
const size = /Total Upload: .*/.exec(stdout)?.[0];
if (status !== 0 || size === undefined) {
  console.error(stdout, stderr);
  process.exit(1);
}
console.log(size);
