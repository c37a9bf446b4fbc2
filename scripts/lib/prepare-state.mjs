import { Miniflare } from "miniflare";
import { bundler } from "./bundle.mjs";
import { readConfig } from "./config.mjs";
import { lockState } from "./guard.mjs";
import { migrate } from "./migrate.mjs";
import { DEFAULT_STATE } from "./paths.mjs";
import { runtimeOptions } from "./runtime.mjs";
import { seed } from "./seed.mjs";
import { localToken } from "./token.mjs";

/** Migrates and fills the default state; fails while another process works on it. */
export async function prepareState() {
  const state = DEFAULT_STATE;
  const unlock = await lockState(state);
  const config = await readConfig();
  const bundle = await bundler({ main: config.main });
  await bundle.rebuild();
  await bundle.dispose();
  const vars = { ENVIRONMENT: "development", LOAD_TOKEN: await localToken(state) };
  const runtime = new Miniflare(runtimeOptions(config, { state, vars, listeners: [] }));
  await migrate(runtime, config);
  await seed(runtime, { state, empty: false, token: vars.LOAD_TOKEN });
  await runtime.dispose();
  await unlock();
}
