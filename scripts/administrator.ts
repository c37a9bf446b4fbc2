import { CommandError, readOptions, runCommand } from "./lib/command.ts";
import { TARGET_HELP, TARGET_OPTIONS, call, targetOf } from "./lib/service.ts";

const HELP = `usage: npm run administrator -- NAME [options]

Makes an account of a running service an administrator, who uses /admin. The command can be repeated.

  --email ADDRESS  creates the account if there is none; prints a link for the password of an account without one, which
                   works once and for an hour
${TARGET_HELP}`;

const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: { ...TARGET_OPTIONS, email: { type: "string" } },
});

async function main() {
  const [username, ...more] = positionals;
  if (username === undefined || more.length > 0) return console.log(HELP);
  const { email } = values;
  const target = await targetOf(values);
  if (email !== undefined) {
    const body = JSON.stringify({ username, email });
    const { rejected } = await call(target, "/system/patrons", { method: "POST", body });
    for (const { reason } of rejected) throw new CommandError(`${username}: ${reason}`);
  }
  await call(target, "/system/administrators", { method: "POST", json: { usernames: [username] } });
  console.log(`${username} is an administrator.`);
  if (email === undefined) return;
  const { url } = await call(target, "/system/password-links", { method: "POST", json: { username } });
  if (url !== null) console.log(`First password, within an hour: ${url}`);
}

await runCommand(main, "Stopped. The same command goes on from here.");
