// Creates or updates a catalog in PostgreSQL.
import { CommandError, readOptions, runCommand } from "./lib/command.ts";
import { setUpPostgres } from "./lib/postgres-setup.ts";

const HELP = `usage: npm run postgres -- setup [options]

Gives a database of PostgreSQL the tables of the catalog, or what a newer version has added to them. Its owner has to run it,
and the service has to come as the same user: statements find what they need by that user's search_path.

  --url URL    postgres://user:password@host:port/database (default $CATALOG_URL)
  --help       this text`;

const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: { url: { type: "string", default: process.env["CATALOG_URL"] } },
});

await runCommand(async () => {
  if (positionals[0] !== "setup") return console.log(HELP);
  if (values.url === undefined) throw new CommandError("Which database? --url, or CATALOG_URL.");
  const applied = await setUpPostgres(values.url);
  for (const name of applied) console.log(`applied ${name}`);
  return console.log("The catalog is up to date.");
}, "Stopped. The same command goes on from here.");
