// Makes a database of PostgreSQL a catalog, or brings one up to date.
import { parseArgs } from "node:util";
import { CommandError, runCommand } from "./lib/command.mjs";
import { setUpPostgres } from "./lib/postgres-setup.mjs";

const HELP = `usage: npm run postgres -- setup [options]

Gives a database of PostgreSQL the tables of the catalog, or what a newer version has added to them. Its owner has to run
it, and the service has to come as the same user: statements find what they need by that user's search_path.

  --url URL    postgres://user:password@host:port/database (default $CATALOG_URL)
  --help       this text`;

await runCommand(async () => {
  const { values, positionals } = options();
  if (values.help || positionals[0] !== "setup") return console.log(HELP);
  if (values.url === undefined) throw new CommandError("Which database? --url, or CATALOG_URL.");
  const applied = await setUpPostgres(values.url);
  for (const name of applied) console.log(`applied ${name}`);
  return console.log("The catalog is up to date.");
}, "Stopped. The same command goes on from here.");

function options() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        url: { type: "string", default: process.env["CATALOG_URL"] },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}
