import { readOptions, runCommand } from "./lib/command.mjs";
import { rebuildIndex } from "./lib/index-client.mjs";
import { TARGET_HELP, TARGET_OPTIONS, targetOf } from "./lib/service.mjs";

const HELP = `usage: npm run reindex -- [options]

Rebuilds the search index of a running service from its records. The index that is there answers until the new
one is complete, and what is written meanwhile is in both. A rebuild that was stopped goes on where it was.

  --restart      begin again from the first record
${TARGET_HELP}`;

const { values } = readOptions(HELP, {
  options: {
    ...TARGET_OPTIONS,
    restart: { type: "boolean", default: false },
  },
});

async function main() {
  const target = await targetOf(values);
  await rebuildIndex(target, values.restart ? { restart: true } : { start: true });
}

await runCommand(main, "Stopped. The same command goes on from here.");
