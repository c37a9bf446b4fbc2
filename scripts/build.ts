// Bundles as for a deploy, without deploying, and prints the size.
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { stringify } from "smol-toml";
import { bundleForDeploy } from "./lib/bundle.ts";
import { deployedConfig, readConfig } from "./lib/config.ts";
import { ROOT } from "./lib/paths.ts";
import { wrangler } from "./lib/wrangler.ts";

/** Budget of the compressed bundle, in KiB. The free plan allows 3,072; only modules that are evaluated cost time. */
const GZIP_KIB_MAX = 1950;

const config = await readConfig();
await bundleForDeploy(config.main);
// Beside wrangler.toml, because the paths in it are those of that folder.
const file = path.join(ROOT, "wrangler.dry-run.toml");
await writeFile(file, stringify(deployedConfig(config, { settings: {} })));
const { status, stdout, stderr } = await wrangler(["deploy", "--dry-run", "--config", file]).finally(() =>
  rm(file),
);
const [size, gzip = ""] = /Total Upload: .*gzip: ([\d.]+) KiB/.exec(stdout) ?? [];
if (status !== 0 || size === undefined) {
  console.error(stdout, stderr);
  process.exit(1);
}
console.log(size);
if (Number(gzip) > GZIP_KIB_MAX) {
  console.error(`The bundle is larger than its budget of ${GZIP_KIB_MAX} KiB compressed.`);
  process.exit(1);
}
