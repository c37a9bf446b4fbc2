import { setTimeout as sleep } from "node:timers/promises";
import type { Miniflare } from "miniflare";
import { START_HELP, startArguments } from "./arguments.ts";
import { type Environment, CommandError } from "./command.ts";
import { readConfig } from "./config.ts";
import { openListeners } from "./front.ts";
import { lockState } from "./local-state.ts";
import { type Listener, HOST } from "./runtime.ts";
import { type ServicePlan, type Step, giveUp, keepUp, resume, startRuntime } from "./service-runtime.ts";
import { startSettings } from "./start-settings.ts";

type StartOptions = ReturnType<typeof startArguments>;

/** Timeout of the first answer of each listener, and interval between attempts, in milliseconds. */
const READY_MS = 60_000;
const ASK_EVERY_MS = 250;

/** `npm start`. */
export async function main(args: string[], env: Environment) {
  const steps: Step[] = [];
  let options: StartOptions | undefined;
  try {
    options = startArguments(args, env);
    if (options.help) console.log(START_HELP);
    else await start(options, { env, steps });
  } catch (error) {
    await giveUp(error, { state: options?.state, steps });
  }
}

async function start(options: StartOptions, { env, steps }: { env: Environment; steps: Step[] }) {
  const { state, empty, bare, solr } = options;
  const config = await readConfig();
  // Opens the ports first. Requests wait until the databases are up to date.
  const upToDate = Promise.withResolvers<Miniflare>();
  const listeners = await openListeners(options.listeners, async (entrypoint) =>
    (await upToDate.promise).unsafeGetDirectURL(config.name, entrypoint),
  );
  steps.push(await lockState(state, `http://${HOST}:${listeners[0]?.port}`));
  const more: Record<string, string> = solr === undefined ? {} : { SEARCH_ENGINE: "solr", SOLR_URL: solr };
  const vars = await startSettings(config, { listeners, state, env, more });
  const choice = {
    content: bare ? ("bare" as const) : empty ? "empty" : "starter",
    development: true,
  } as const;
  const plan: ServicePlan = { ...options, config, listeners, vars, choice };
  const runtime = await startRuntime(plan, steps);
  upToDate.resolve(runtime);
  for (const listener of listeners) await answers(listener);
  await keepUp(runtime, plan, steps);
  for (const { name, port } of listeners) console.log(`${name.padEnd(14)} http://${HOST}:${port}`);
  console.log("Carrel is ready. Stop it with Ctrl-C.");
  await resume(runtime, plan);
}

/**
 * Waits until a listener responds. Any status below 500 counts, since not all of them have this path. Throws otherwise.
 */
async function answers({ name, port }: Listener) {
  let problem = "";
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(ASK_EVERY_MS)) {
    try {
      const response = await fetch(`http://${HOST}:${port}/health`, {
        signal: AbortSignal.timeout(READY_MS),
      });
      const text = await response.text();
      if (response.status < 500) return;
      problem = `it answers ${response.status}: ${text.slice(0, 300)}`;
      break;
    } catch (error) {
      problem = String(error instanceof Error ? (error.cause ?? error) : error);
    }
  }
  throw new CommandError(`The ${name} does not work on port ${port}: ${problem}`);
}
