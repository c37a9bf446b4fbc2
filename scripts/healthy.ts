// Asks the service of this state if it lives: for health checks of containers. Exit code 0 if it does.
import { targetOf } from "./lib/service.ts";
import { DEFAULT_STATE } from "./lib/paths.ts";

const TIMEOUT_MS = 5000;

const { url } = await targetOf({ state: process.env["STATE_DIR"] ?? DEFAULT_STATE });
const { ok } = await fetch(new URL("/health", url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
process.exitCode = ok ? 0 : 1;
