// Copies all data of a service to a folder: docs/operations.md, "Backup and restore".
import path from "node:path";
import { BackupClient } from "./lib/backup-client.ts";
import { readIdentity } from "./lib/backup-files.ts";
import { verifyBackup } from "./lib/backup-verify.ts";
import { backUp } from "./lib/change-log.ts";
import { CommandError, readOptions, runCommand } from "./lib/command.ts";
import { ProgressBar, counted } from "./lib/progress-bar.ts";
import { TARGET_HELP, TARGET_OPTIONS, targetOf } from "./lib/service.ts";

const HELP = `usage: npm run backup -- --to DIR [options]

Copies all data of a service into a folder: the log of changes with all revisions, accounts and other tables,
the data of every patron, loans, covers and texts. The next backup into the same folder adds what is new.
\`npm run restore\` makes a service of it.

  --to DIR             the folder; created if absent, readable by its owner only
  --log                the log of changes only, which needs no token
  --catalog-only       no patrons and no files, for a catalog that moves to another database
  --recipient age1…    encrypts files with addresses, hashes and data of patrons for this age public key
  --verify             reads all files again and compares them with the service
  --identity FILE      the secret key, to verify encrypted files
${TARGET_HELP}`;

const { values } = readOptions(HELP, {
  options: {
    ...TARGET_OPTIONS,
    to: { type: "string" },
    log: { type: "boolean", default: false },
    "catalog-only": { type: "boolean", default: false },
    recipient: { type: "string" },
    verify: { type: "boolean", default: false },
    identity: { type: "string" },
  },
});

async function main() {
  const { to, log, recipient, verify } = values;
  if (to === undefined) return console.log(HELP);
  const folder = path.resolve(to);
  const target = await targetOf(log ? { ...values, token: values.token ?? "" } : values);
  const identity = await readIdentity(values.identity);
  const bar = new ProgressBar("backup");
  const onProgress = (label: string, share: number, count: number) => {
    bar.label = label;
    bar.update(share, count);
  };
  if (verify) {
    for (const line of await verifyBackup(target, { folder, identity, onProgress })) console.log(line);
    return bar.done();
  }
  const { cursor, files } = await backUp(target.url, folder, {
    fetch: target.fetch,
    onProgress: ({ cursor: done, end }) => onProgress("changes", end === 0 ? 1 : done / end, done),
  });
  console.log(`${folder}: all changes up to ${cursor}, in ${counted(files, "file")}`);
  if (log) return bar.done();
  const { missing } = await new BackupClient(target, {
    folder,
    catalogOnly: values["catalog-only"],
    recipient,
    onProgress,
  }).run();
  bar.done();
  console.log(`${folder}: tables, patrons, loans and files are copied`);
  if (missing.length > 0) throw new CommandError(`These could not be read:\n${missing.join("\n")}`);
}

await runCommand(main, "Stopped. The same command goes on from here.");
