// Bundles as for a deploy, without deploying, and prints the size.
import { wrangler } from "./lib/wrangler.ts";

const { status, stdout, stderr } = await wrangler(["deploy", "--dry-run", "--outdir", "dist/deploy"]);
const size = /Total Upload: .*/.exec(stdout)?.[0];
if (status !== 0 || size === undefined) {
  console.error(stdout, stderr);
  process.exit(1);
}
console.log(size);
