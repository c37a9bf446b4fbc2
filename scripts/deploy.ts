// Brings the service to Cloudflare, from nothing or anew: docs/operations.md.
import { rm } from "node:fs/promises";
import path from "node:path";
import { bundleForDeploy } from "./lib/bundle.ts";
import { readOptions, runCommand } from "./lib/command.ts";
import { readConfig } from "./lib/config.ts";
import { checkDeployed, deploy } from "./lib/deploy.ts";
import { ROOT } from "./lib/paths.ts";
import { wrangler } from "./lib/wrangler.ts";

const HELP = `usage: npm run deploy -- [options]

Creates what the account lacks, applies migrations, uploads code and missing secrets, and looks whether it works. It
prints what it does, can be stopped anywhere, and creates nothing when it is run again.

  --dry-run         print what would be done, and do nothing; works without an account
  --settings FILE   settings of this service, NAME=VALUE a line (default deploy.env)
  --secrets FILE    its secrets, as JSON; missing ones are made (default deploy.secrets.json)
  --location HINT   where databases and buckets are created: weur, eeur, apac, oc, wnam, enam
  --url URL         address at which it is looked whether it works (default: BASE_URL of the settings)
  --help            this text`;

async function main() {
  const { values } = readOptions(HELP, {
    options: {
      "dry-run": { type: "boolean", default: false },
      settings: { type: "string", default: path.join(ROOT, "deploy.env") },
      secrets: { type: "string", default: path.join(ROOT, "deploy.secrets.json") },
      location: { type: "string" },
      url: { type: "string" },
    },
  });
  const isDryRun = values["dry-run"];
  const options = {
    isDryRun,
    // Beside wrangler.toml, because the paths in it are those of that folder.
    config: path.join(ROOT, isDryRun ? "wrangler.dry-run.toml" : "wrangler.deploy.toml"),
    settings: path.resolve(values.settings),
    secrets: path.resolve(values.secrets),
    location: values.location,
  };
  await bundleForDeploy((await readConfig()).main);
  try {
    const { created, url } = await deploy(options, { wrangler, log: console.log });
    if (isDryRun) console.log(`${created} things would be created; nothing was created at Cloudflare.`);
    else await checkDeployed(values.url ?? url, console.log);
  } finally {
    if (isDryRun) await rm(options.config, { force: true });
  }
}

await runCommand(main, "Stopped. The same command goes on from here.");
