import { readOptions, runCommand } from "./lib/command.ts";
import { follow } from "./lib/change-log.ts";
import { TARGET_HELP, TARGET_OPTIONS, targetOf } from "./lib/service.ts";

const HELP = `usage: npm run mirror -- SOURCE_URL [options]

Makes a running service the mirror of another one: takes over its log of changes with all documents, and goes on
with what is changed there from then on. The service must be empty, or hold the beginning of the same log: a mirror
that was stopped goes on where it was. Nothing else may write to it.

  --once         stop when the mirror has caught up
${TARGET_HELP}`;

const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: {
    ...TARGET_OPTIONS,
    once: { type: "boolean", default: false },
  },
});

async function main() {
  const [source, ...more] = positionals;
  if (source === undefined || more.length > 0) return console.log(HELP);
  const target = await targetOf(values);
  await follow(source.replace(/\/$/, ""), target, {
    once: values.once,
    onProgress: ({ cursor, end, stored }) => {
      if (stored > 0) console.log(`change ${cursor} of ${end}: ${stored} stored`);
    },
  });
}

await runCommand(main, "Stopped. The same command goes on from here.");
