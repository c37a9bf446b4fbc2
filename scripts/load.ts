import { statSync } from "node:fs";
import { readOptions, runCommand } from "./lib/command.ts";
import { bootstrapLines } from "./lib/bootstrap.ts";
import { updateIndex } from "./lib/index-client.ts";
import { sendLines } from "./lib/load-client.ts";
import { loadFile, loadHoldings } from "./lib/load-file.ts";
import { languageLines } from "./lib/starter.ts";
import { type Target, TARGET_HELP, TARGET_OPTIONS, targetOf } from "./lib/service.ts";

const HELP = `usage: npm run load -- [FILE...] [options]

Loads dump files (five tab-separated columns: type, key, revision, last_modified, JSON; plain or .gz) into a
running service. Lines may come in any order, with the latest revisions or all of them. An interrupted
load of the same catalog resumes; stored revisions do not change. Lines that cannot be loaded are written to
FILE.rejects.tsv in this folder (line number, reason), and the load continues. After the last file the search
index is updated.

  --holdings FILE
                 store the scans of a holdings file (JSON objects, one a line) before the dumps; may be given again
  --bootstrap    load the types, groups, permissions and languages that every catalog needs
  --restart      begin again from the first line
  --no-index     leave the search index to the service, or to npm run reindex
${TARGET_HELP}`;

const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: {
    ...TARGET_OPTIONS,
    holdings: { type: "string", multiple: true, default: [] },
    bootstrap: { type: "boolean", default: false },
    restart: { type: "boolean", default: false },
    "no-index": { type: "boolean", default: false },
  },
});

async function main() {
  if (positionals.length + values.holdings.length + Number(values.bootstrap) === 0) return console.log(HELP);
  // A missing file is reported before anything is loaded.
  for (const file of [...values.holdings, ...positionals]) statSync(file);
  const target: Target = { ...(await targetOf(values)), index: "later" };
  if (values.bootstrap) {
    await sendLines(bootstrapLines({ development: false }), target);
    await sendLines(languageLines(), target);
  }
  for (const file of values.holdings) await loadHoldings(file, target);
  for (const file of positionals) await loadFile(file, target, values);
  if (!values["no-index"]) await updateIndex(target);
}

await runCommand(main, "Stopped. The same command goes on from here.");
