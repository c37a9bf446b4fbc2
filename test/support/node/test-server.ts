import { once } from "node:events";
import http from "node:http";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { HOST } from "../../../scripts/lib/runtime.ts";

/** Request that the server received. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}
/** Response of the server: an object as JSON, text as it is. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

/** A small server that answers as a test says, and remembers what it was asked. */
export function testServer() {
  const asked: Asked[] = [];
  const state = { url: "", answer: (_asked: Asked): Answer => ({ status: 404, body: "" }) };
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
    asked.push(one);
    const { status = 200, headers: more = {}, body } = state.answer(one);
    response.writeHead(status, more).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  beforeAll(async () => {
    server.listen(0, HOST);
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port was given");
    state.url = `http://${HOST}:${address.port}`;
  });
  beforeEach(() => {
    asked.length = 0;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return Object.assign(state, { asked });
}
