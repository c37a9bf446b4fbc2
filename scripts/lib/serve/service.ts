import { chmod, mkdir } from "node:fs/promises";
import { isIPv6 } from "node:net";
import path from "node:path";
import type { Miniflare } from "miniflare";
import { type Environment, explain } from "../command.ts";
import { readConfig } from "../config.ts";
import { openListeners } from "../front.ts";
import { lockState, noteAddress } from "../local-state.ts";
import { HOST } from "../runtime.ts";
import { type ServicePlan, type Step, giveUp, keepUp, resume, startRuntime } from "../service-runtime.ts";
import { runtimeTarget } from "../state.ts";
import { SERVE_HELP, type ServeOptions, serveArguments } from "./arguments.ts";
import { Front } from "./front.ts";
import { jsonLogSink, logAsJson } from "./json-log.ts";
import { openMailRelay } from "./mail-relay.ts";
import { ServiceMetrics } from "./metrics.ts";
import { serveSettings, readSecretFiles } from "./settings.ts";

/** Headers of a proxy that names who has logged in: user, email address, full name. */
const IDENTITY_HEADERS = "Remote-User Remote-Email Remote-Name";
const MAIN_SITE = { name: "main site", entrypoint: "MainSite", flag: "port", port: 0 };

/** `npm run serve`. */
export async function serve(args: string[], given: Environment) {
  const steps: Step[] = [];
  let state: string | undefined;
  try {
    const env = await readSecretFiles(given);
    const options = serveArguments(args, env);
    if (options.help) return console.log(SERVE_HELP);
    state = options.state;
    logAsJson();
    return await start(options, { env, steps });
  } catch (error) {
    return giveUp(error, { state, steps });
  }
}

async function start(options: ServeOptions, { env, steps }: { env: Environment; steps: Step[] }) {
  const { state, baseUrl, solr } = options;
  const config = await readConfig();
  const metrics = new ServiceMetrics();
  await mkdir(state, { recursive: true });
  // It has secrets, and private notes of patrons.
  await chmod(state, 0o700);
  steps.push(await lockState(state));
  const relay = env["SMTP_URL"] === undefined ? undefined : await openMailRelay(env["SMTP_URL"]);
  if (relay !== undefined) steps.push(relay.close);
  const vars = await serveSettings(config, {
    state,
    env,
    more: {
      BASE_URL: baseUrl,
      ...(solr !== undefined && { SEARCH_ENGINE: "solr", SOLR_URL: solr }),
      ...relay?.settings,
    },
  });
  const isForward = vars["IDENTITY_PROVIDER"] === "forward";
  const ready = Promise.withResolvers<Miniflare>();
  let runtime: Miniflare | undefined;
  const front = new Front({
    ...options,
    protocol: baseUrl.startsWith("https:") ? "https" : "http",
    identity: {
      names: isForward ? (env["FORWARD_AUTH_HEADERS"] ?? IDENTITY_HEADERS).split(/\s+/) : [],
      secret: vars["FORWARD_AUTH_SECRET"] ?? "",
    },
    metrics: {
      token: vars.LOAD_TOKEN,
      text: () => metrics.text(runtime && runtimeTarget(runtime, vars.LOAD_TOKEN), state),
      countUnanswered: () => metrics.countUnanswered(),
    },
  });
  await front.listen();
  const own = /^(?:localhost|0\.0\.0\.0|::)$/.test(options.host) ? HOST : options.host;
  await noteAddress(state, `http://${isIPv6(own) ? `[${own}]` : own}:${front.ports[0]}${options.prefix}`);
  const services = await openListeners(options.services, async (entrypoint) =>
    (await ready.promise).unsafeGetDirectURL(config.name, entrypoint),
  );
  const isFollowed = vars["SEARCH_ENGINE"] === "solr" || vars["SEARCH_SHADOW"] === "on";
  const plan: ServicePlan = {
    ...options,
    solr: isFollowed ? vars["SOLR_URL"] : undefined,
    config,
    vars,
    listeners: [MAIN_SITE, ...services],
    choice: { content: options.content, development: false },
    // The sources may be those of another user.
    bundles: path.join(state, "bundle"),
    log: jsonLogSink((point) => metrics.take(point)),
  };
  const started = (runtime = await startRuntime(plan, steps));
  ready.resolve(started);
  await keepUp(started, plan, steps);
  front.open(() => started.unsafeGetDirectURL(config.name, MAIN_SITE.entrypoint));
  steps.push(() => front.close(options.stopMs));
  console.log(`Carrel is ready at ${baseUrl}, port ${front.ports[0]} of ${options.host}.`);
  await resume(started, plan).catch((error) => console.error(explain(error) ?? error));
}
