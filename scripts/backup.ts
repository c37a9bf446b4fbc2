// Copies the data of a service to a folder: docs/operations.md, "Backup and restore".
import { existsSync } from "node:fs";
import path from "node:path";
import { CommandError, readOptions, runCommand } from "./lib/command.ts";
import { backUp } from "./lib/change-log.ts";
import { CATALOG_FILE, asideOf, exportTables } from "./lib/backup-tables.ts";
import { ROOT } from "./lib/paths.ts";
import { exportFromPostgres } from "./lib/postgres-tables.ts";
import { ProgressBar } from "./lib/progress-bar.ts";
import { TARGET_OPTIONS, urlOf } from "./lib/service.ts";
import { wrangler } from "./lib/wrangler.ts";

const HELP = `usage: npm run backup -- --to DIR [options]

Copies the log of changes of a service, which has all records with all their revisions, into a folder. The next backup
into the same folder adds what is new. \`npm run restore\` makes a service of it.

  --to DIR        the folder; it is made
  --url URL       the service (default: that of the local state)
  --state DIR     state of the local service (default .wrangler/state/v3, or $STATE_DIR)
  --tables        export what is not in the log, too: accounts and projections (PATRONS), holdings, merges, covers, imports.
                  By wrangler, of the account that \`npm run deploy\` has deployed to
  --catalog URL   the PostgreSQL that has the catalog, if that is no D1 (default $CATALOG_URL)
  --help          this text`;

const { values } = readOptions(HELP, {
  options: {
    to: { type: "string" },
    url: TARGET_OPTIONS.url,
    state: TARGET_OPTIONS.state,
    tables: { type: "boolean", default: false },
    catalog: { type: "string", default: process.env["CATALOG_URL"] },
  },
});

async function main() {
  const { to, tables, catalog } = values;
  if (to === undefined) return console.log(HELP);
  const folder = path.resolve(to);
  const config = path.join(ROOT, "wrangler.deploy.toml");
  if (tables && !existsSync(config)) {
    throw new CommandError(`${config} is missing: \`npm run deploy\` writes it.`);
  }
  const bar = new ProgressBar("backup");
  const { cursor, files } = await backUp(await urlOf(values), folder, {
    fetch,
    onProgress: ({ cursor: done, end }) => bar.update(end === 0 ? 1 : done / end, done),
  });
  bar.done();
  console.log(`${folder}: all changes up to ${cursor}, in ${files} files`);
  if (!tables) return;
  const exported = await exportTables(folder, {
    wrangler,
    config,
    isCatalogElsewhere: catalog !== undefined,
  });
  if (catalog !== undefined) {
    const left = await exportFromPostgres(catalog, path.join(folder, CATALOG_FILE));
    exported.push({ file: CATALOG_FILE, left });
  }
  for (const { file, left } of exported) {
    console.log(`${folder}: ${file} written`);
    if (left > 0) console.log(`${left} rows that D1 does not take in one statement are in ${asideOf(file)}`);
  }
  console.log("They hold addresses and hashes: keep them safe.");
}

await runCommand(main, "Stopped. The same command goes on from here.");
