import { CommandError, readOptions, runCommand } from "./lib/command.ts";
import { checkIndex, rebuildIndex } from "./lib/index-client.ts";
import { TARGET_HELP, TARGET_OPTIONS, targetOf } from "./lib/service.ts";

const HELP = `usage: npm run reindex -- [options]

Rebuilds the search index of a running service from its records. The index that is there answers until the new
one is complete, and what is written meanwhile is in both. A rebuild that was stopped goes on where it was.

  --restart      begin again from the first record
  --at-once N    calls that work at parts of it side by side (1): 3 pay with Solr, more where several isolates answer
  --shadow       the index of the other engine, while this one answers (SEARCH_SHADOW)
  --check        compare all works of the index with their records instead, and mend those that differ
${TARGET_HELP}`;

const { values } = readOptions(HELP, {
  options: {
    ...TARGET_OPTIONS,
    restart: { type: "boolean", default: false },
    "at-once": { type: "string", default: "1" },
    shadow: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
  },
});

async function main() {
  const target = await targetOf(values);
  const { check, restart, shadow } = values;
  if (check) await checkIndex(target, { shadow });
  else {
    const atOnce = Number(values["at-once"]);
    if (!(atOnce >= 1)) throw new CommandError("--at-once is a number from 1 on");
    await rebuildIndex(target, restart ? { restart, shadow } : { start: true, shadow }, { atOnce });
  }
}

await runCommand(main, "Stopped. The same command goes on from here.");
