import { readOptions, runCommand } from "./lib/command.ts";
import { follow } from "./lib/change-log.ts";
import { TARGET_HELP, TARGET_OPTIONS, targetOf } from "./lib/service.ts";

const HELP = `usage: npm run mirror -- SOURCE_URL [options]

Makes a running service the mirror of another one: copies its log of changes with all documents, and then each new
change. The service must be empty, or have the beginning of the same log: an interrupted mirror resumes. Nothing
else may write to it.

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
