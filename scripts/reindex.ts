import { CommandError, readOptions, runCommand } from "./lib/command.ts";
import { checkIndex, rebuildIndex } from "./lib/index-client.ts";
import { TARGET_HELP, TARGET_OPTIONS, targetOf } from "./lib/service.ts";

const HELP = `usage: npm run reindex -- [options]

Rebuilds the search index of a running service from its records. The old index answers until the new one
is complete, and changes made meanwhile go to both. An interrupted rebuild resumes.

  --restart      begin again from the first record
  --at-once N    parts that are rebuilt at the same time (default 1); 3 are faster with Solr, more with several isolates
  --shadow       the index of the other engine, while this one answers (SEARCH_SHADOW)
  --check        compare all works of the index with their records instead, and fix those that differ
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
