// Creates or updates a catalog in PostgreSQL, and moves the tables that are not in the change log.
import { asideOf } from "./lib/backup-tables.ts";
import { CommandError, readOptions, runCommand } from "./lib/command.ts";
import { setUpPostgres } from "./lib/postgres-setup.ts";
import { exportFromPostgres, importIntoPostgres } from "./lib/postgres-tables.ts";

const HELP = `usage: npm run postgres -- setup|import FILE|export FILE [options]

setup   gives a database of PostgreSQL the tables of the catalog, or what a newer version has added to them. Its owner has to
        run it, and the service has to come as the same user: statements find what they need by that user's search_path.
export  writes what is not in the log of changes (holdings, merges, imports, covers) into a file that D1 takes, too.
import  stores such a file, or the catalog-tables.sql of a backup, whole or not at all.

  --url URL    postgres://user:password@host:port/database (default $CATALOG_URL)
  --help       this text`;

const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: { url: { type: "string", default: process.env["CATALOG_URL"] } },
});

await runCommand(async () => {
  const [action = "", file = ""] = positionals;
  const needsFile = action === "import" || action === "export";
  if (action !== "setup" && (!needsFile || file === "")) return console.log(HELP);
  if (values.url === undefined) throw new CommandError("Which database? --url, or CATALOG_URL.");
  if (action === "export") {
    const left = await exportFromPostgres(values.url, file);
    return console.log(
      `${file} written` + (left === 0 ? "" : `; ${left} rows that D1 does not take are in ${asideOf(file)}`),
    );
  }
  if (action === "import") {
    return console.log(`${await importIntoPostgres(values.url, file)} statements of ${file} were run.`);
  }
  const applied = await setUpPostgres(values.url);
  for (const name of applied) console.log(`applied ${name}`);
  return console.log("The catalog is up to date.");
}, "Stopped. The same command goes on from here.");
