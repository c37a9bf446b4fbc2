import { CarrelError } from "../errors.ts";

/** Large images that an isolate has made smaller at a time. On the local runtime their pixels are in this computer's memory. */
export const LARGE_AT_ONCE_MAX = 2;
/** After how many milliseconds a turn is free again at the latest: a request whose client has gone never comes to its end. */
export const LARGE_TURN_MS = 30_000;
/** How long a large image waits for its turn, in milliseconds; and how often it looks. */
export const LARGE_WAIT_MS = 20_000;
export const LARGE_LOOK_MS = 50;
/** Seconds after which somebody who got no turn may try again. */
const RETRY_SECONDS = 10;

/** The turn of a large image. */
export interface LargeTurn {
  end(): void;
}

/** When those that are under way end at the latest, in milliseconds since 1970. */
const turns = new Set<{ readonly until: number }>();

/** Waits for the turn of a large image. Throws a 503 when it does not come. Nothing that another request does may be waited for. */
export async function takeTurn(): Promise<LargeTurn> {
  for (let waited = 0; !isFree(Date.now()); waited += LARGE_LOOK_MS) {
    if (waited >= LARGE_WAIT_MS) throw noTurn();
    await scheduler.wait(LARGE_LOOK_MS);
  }
  const turn = { until: Date.now() + LARGE_TURN_MS };
  turns.add(turn);
  return { end: () => void turns.delete(turn) };
}

function isFree(now: number): boolean {
  for (const turn of turns) if (turn.until <= now) turns.delete(turn);
  return turns.size < LARGE_AT_ONCE_MAX;
}

function noTurn(): CarrelError {
  return new CarrelError(503, "unavailable", {
    message: "Too many large images are being uploaded at once",
    headers: { "Retry-After": String(RETRY_SECONDS) },
  });
}
