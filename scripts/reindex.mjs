import { readOptions, runCommand } from "./lib/command.mjs";
import { rebuildIndex } from "./lib/index-client.mjs";
import { DEFAULT_STATE } from "./lib/paths.mjs";
import { targetOf } from "./lib/target.mjs";

const HELP = `usage: npm run reindex -- [options]

Rebuilds the search index of a running service from its records. The index that is there answers until the new
one is complete, and what is written meanwhile is in both. A rebuild that was stopped goes on where it was.

  --url URL      the service (default http://127.0.0.1:8080)
  --token TOKEN  its LOAD_TOKEN (default $LOAD_TOKEN, or that of the local state)
  --state DIR    state of the local service, to find its token (default .wrangler/state/v3, or $STATE_DIR)
  --restart      begin again from the first record
  --help         this text`;

const { values } = readOptions({
  options: {
    url: { type: "string", default: "http://127.0.0.1:8080" },
    token: { type: "string" },
    state: { type: "string", default: process.env["STATE_DIR"] ?? DEFAULT_STATE },
    restart: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

async function main() {
  if (values.help) {
    console.log(HELP);
    return;
  }
  const target = await targetOf(values);
  await rebuildIndex(target, values.restart ? { restart: true } : { start: true });
}

await runCommand(main, "Stopped. The same command goes on from here.");
