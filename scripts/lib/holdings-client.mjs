import { CommandError } from "./command.mjs";
import { batches } from "./load-client.mjs";

/** Lines of one request: as many as the service takes. */
const HOLDINGS_BATCH_LINES = 500;

/**
 * Sends the lines of a holdings file to a service. `onRejected` is told of those that it does not take. All of it may be
 * sent again.
 * @param {AsyncIterable<{ number: number, text: Buffer }>} lines
 * @param {import("./load-client.mjs").Target} target
 * @param {(line: number, reason: string) => void} onRejected
 * @returns {Promise<number>} how many items were stored
 */
export async function sendHoldings(lines, target, onRejected) {
  let stored = 0;
  for await (const { numbers, body } of batches(lines, HOLDINGS_BATCH_LINES)) {
    const answer = await post(body, target);
    stored += answer.stored;
    for (const { line, reason } of answer.rejected) onRejected(numbers[line - 1] ?? 0, reason);
  }
  return stored;
}

/**
 * @param {string} body
 * @param {import("./load-client.mjs").Target} target
 * @returns {Promise<{ stored: number, rejected: { line: number, reason: string }[] }>}
 */
async function post(body, { url, token, fetch: send }) {
  const response = await send(`${url}/system/holdings`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/x-ndjson" },
    body,
  });
  const text = await response.text();
  if (!response.ok) throw new CommandError(`${url} answered ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
