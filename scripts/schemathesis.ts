// Starts Carrel with the starter catalog and has schemathesis (a Python package, in an environment of its own) test
// /openapi.json, anonymously and as a patron in parallel. .ci/schemathesis.toml lists the accepted findings.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { readOptions } from "./lib/command.ts";
import { ROOT } from "./lib/paths.ts";
import { ServiceProcess } from "./lib/service-process.ts";

const HELP = `usage: node scripts/run.mjs schemathesis [options]

  --seconds N    time for the anonymous requests (120), and half of it for the patron's: every operation gets its borders
                 and a few random requests, and those are repeated with other values until the time is over
  --examples N   random requests of an operation in each round (2)
  --seed N       another seed than 1
  --help         this text`;

const PACKAGE = "schemathesis==4.32.5";
const READY_SECONDS = 180;
/** Without these, messages of other services get a 503. */
const SECRETS = Object.fromEntries(
  ["LINK_SECRET", "LENDING_SECRET", "ANONYMIZE_SECRET"].map((name) => [name, `${name} of schemathesis`]),
);

/** Operations that end the patron's session. A login ends the session of the request's cookie. */
const ENDS_SESSION = ["endSessions", "login", "loginJson", "logout", "redeemOtp", "removeOwn"];
/** Options of the patron's run. The anonymous run covers the coverage phase. */
const PATRON = [
  "--phases=examples,fuzzing",
  ...ENDS_SESSION.map((id) => `--exclude-operation-id=${id}`),
  // The cookie goes with every request.
  "--exclude-checks=ignored_auth",
  "--generation-with-security-parameters=false",
];

const { values } = readOptions(HELP, {
  options: {
    seconds: { type: "string", default: "120" },
    examples: { type: "string", default: "2" },
    seed: { type: "string", default: "1" },
  },
});
const folder = mkdtempSync(path.join(os.tmpdir(), "carrel-schemathesis-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
const program = path.join(folder, "python/bin/schemathesis");
const problem = installation();
if (problem === undefined) await main();
else console.log(`skipped: ${problem}`);

/** Installs schemathesis. Returns the reason if that is impossible. */
function installation() {
  const python = path.join(folder, "python");
  if (spawnSync("python3", ["-m", "venv", python]).status !== 0) return "there is no Python 3 with venv";
  const { status } = spawnSync(path.join(python, "bin/pip"), ["install", "--quiet", PACKAGE], {
    stdio: "inherit",
  });
  return status === 0 ? undefined : `${PACKAGE} cannot be installed`;
}

async function main() {
  const service = ServiceProcess.start(["--state", path.join(folder, "state")], SECRETS);
  try {
    const base = await service.ready(READY_SECONDS);
    const cookie = await logIn(base);
    const seconds = Number(values.seconds);
    const passed = await Promise.all([
      run("an anonymous client", base, { seconds, more: ["--phases", "examples,coverage,fuzzing"] }),
      run("a patron", base, { seconds: seconds / 2, more: ["--header", `Cookie: ${cookie}`, ...PATRON] }),
    ]);
    const own = await fetch(`${base}/account/loans.json`, { headers: { Cookie: cookie } });
    if (own.status !== 200)
      throw new Error(`the patron got ${own.status} for their loans: ${await own.text()}`);
    process.exitCode = passed.every(Boolean) ? 0 : 1;
  } finally {
    service.kill();
  }
}

/** Logs in the patron and returns the session cookie. */
async function logIn(base: string) {
  const response = await fetch(`${base}/account/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: "patron", password: "patron" }),
  });
  const cookie = response.headers.getSetCookie().find((text) => text.startsWith("session="));
  if (cookie === undefined) throw new Error(`the patron cannot log in: ${response.status}`);
  return cookie.split(";")[0] ?? "";
}

/** Runs all checks and prints the output at the end. Returns true if nothing was found. */
function run(who: string, base: string, { seconds, more }: { seconds: number; more: string[] }) {
  const config = path.join(ROOT, ".ci/schemathesis.toml");
  const amount = ["--max-time", String(seconds), "--max-examples", values.examples];
  const own = [...amount, "--seed", values.seed, "--no-shrink"];
  const steady = ["--generation-database", "none", "--warnings", "off"];
  const args = [
    "--config-file",
    config,
    "run",
    `${base}/openapi.json`,
    ...own,
    ...steady,
    "--no-color",
    ...more,
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
    child.once("error", reject);
    child.once("close", (code) => {
      console.log(`as ${who}:\n${text}\n${code === 0 ? "passed" : "FAILED"}: schemathesis as ${who}\n`);
      resolve(code === 0);
    });
  });
}
