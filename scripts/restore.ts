// Makes a service of a backup: docs/operations.md, "Backup and restore".
import path from "node:path";
import { readOptions, runCommand } from "./lib/command.ts";
import { restore } from "./lib/change-log.ts";
import { updateIndex } from "./lib/index-client.ts";
import { ProgressBar } from "./lib/progress-bar.ts";
import { TARGET_HELP, TARGET_OPTIONS, targetOf } from "./lib/service.ts";

const HELP = `usage: npm run restore -- DIR [options]

Sends the log of changes out of a backup to a service that is empty (locally: npm start -- --bare), and makes the search
index of it. Records, revisions, changes and their numbers are as they were. A restore that was stopped goes on when it is
run again.

  --no-index     leave the search index to the service, or to npm run reindex
${TARGET_HELP}`;

const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: {
    ...TARGET_OPTIONS,
    "no-index": { type: "boolean", default: false },
  },
});

async function main() {
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) return console.log(HELP);
  const target = await targetOf(values);
  const bar = new ProgressBar("restore");
  const { stored, end } = await restore(path.resolve(folder), target, ({ cursor, end: last }) =>
    bar.update(cursor / last, cursor),
  );
  bar.done();
  console.log(`${target.url}: has all changes up to ${end}, ${stored} of them stored now`);
  if (!values["no-index"]) await updateIndex(target);
}

await runCommand(main, "Stopped. The same command goes on from here.");
