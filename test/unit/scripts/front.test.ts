import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openFront, openListeners } from "../../../scripts/lib/front.ts";
import { HOST } from "../../../scripts/lib/runtime.ts";

/** Server behind the front. Responds with method, address and body of the request. */
const behind = http.createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("latin1")) body += String(chunk);
  response.end(`${request.method} ${request.url} [${body}]\n`, "latin1");
});
behind.on("upgrade", (_request, socket: net.Socket) => {
  socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
  socket.pipe(socket);
});
let front: net.Server;
let port = 0;

const portOf = (server: net.Server): number => (server.address() as net.AddressInfo).port;

beforeAll(async () => {
  await once(behind.listen(0, HOST), "listening");
  front = await openFront(0, () => Promise.resolve({ port: String(portOf(behind)) }));
  port = portOf(front);
});

afterAll(() => {
  front.close();
  behind.close();
  behind.closeAllConnections();
});

/** Sends each text when there is an answer to the one before it, and gives all that came. */
async function exchange(texts: readonly (string | readonly string[])[]): Promise<string> {
  const socket = net.connect(port, HOST).setNoDelay();
  const answers: AsyncIterator<Buffer, undefined> = socket[Symbol.asyncIterator]();
  let answer = "";
  for (const text of texts) {
    for (const piece of [text].flat()) {
      socket.write(piece, "latin1");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { value } = await answers.next();
    answer += value?.toString("latin1");
  }
  socket.destroy();
  return answer;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: carrel\r\n\r\n`;

it("escapes characters that the runtime refuses, in every request of a connection", async () => {
  const answer = await exchange([
    get('/search.json?q="a"'),
    get("/search.json?q=<b>&c=[|]`"),
    get("/d?q=%22"),
  ]);
  expect(answer.match(/GET .*/g)).toEqual([
    "GET /search.json?q=%22a%22 []",
    "GET /search.json?q=%3Cb%3E&c=[|]%60 []",
    "GET /d?q=%22 []",
  ]);
});

it("waits for the end of a long line, and leaves other bytes unchanged", async () => {
  const long = `"${"x".repeat(5000)}`;
  const head = `POST /a?q=${long} HTTP/1.1\r\nHost: carrel\r\nX: "<>\r\nContent-Length: 24\r\n\r\n`;
  const body = 'GET /"\xe9" HTTP/1.1\r\nabcde';
  const answer = await exchange([[head.slice(0, 4096), head.slice(4096), body.slice(0, 9), body.slice(9)]]);
  expect(answer).toContain(`POST /a?q=%22${long.slice(1)} [${body}]`);
});

it("forwards data after an upgrade", async () => {
  const upgrade = "GET /changes HTTP/1.1\r\nHost: carrel\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";
  expect(await exchange([upgrade, '\x81\x05"<>`'])).toContain('\r\n\r\n\x81\x05"<>`');
});

it("ends a connection for both sides", async () => {
  const socket = net.connect(port, HOST);
  socket.end(`GET /last HTTP/1.1\r\nHost: carrel\r\nConnection: close\r\n\r\n`);
  let answer = "";
  for await (const bytes of socket) answer += String(bytes);
  expect(answer).toMatch(/GET \/last \[\]\n$/);
});

it("forwards the response of a runtime that does not read to the end", async () => {
  const hasty = net.createServer((socket) => {
    socket.on("error", () => undefined);
    // Unread bytes turn the end into a reset.
    socket.once("data", () => {
      socket.pause();
      socket.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno", () => socket.destroy());
    });
  });
  await once(hasty.listen(0, HOST), "listening");
  const between = await openFront(0, () => Promise.resolve({ port: String(portOf(hasty)) }));
  for (const pause of [0, 0, 0, 0, 1, 5, 30]) {
    const socket = net.connect(portOf(between), HOST).setNoDelay();
    const closed = once(socket, "close");
    let answer = "";
    socket.on("data", (bytes) => (answer += String(bytes)));
    socket.write("POST /a HTTP/1.1\r\nHost: carrel\r\nContent-Length: 600000\r\n\r\n");
    for (let piece = 0; piece < 6; piece += 1) {
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      socket.write("x".repeat(100_000));
    }
    await closed;
    expect(answer, `with ${pause} ms between pieces`).toMatch(/^HTTP\/1\.1 403 [^]*no$/);
  }
  between.close();
  hasty.close();
});

it("takes the ports of all listeners, and says whose port is in use", async () => {
  const listener = { name: "main site", flag: "port", entrypoint: "MainSite" };
  const opening = openListeners([{ ...listener, port }], () => Promise.reject(new Error("none")));
  await expect(opening).rejects.toThrow(`Port ${port} (main site) is in use.`);
});
