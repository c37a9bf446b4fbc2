import type http from "node:http";
import https from "node:https";

/** Longest wait for an answer, in milliseconds. */
const ANSWER_MS = 60_000;

const PASSWORD = "seven brown owls at noon";

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}
export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Client with an address of its own on this machine, so that it has rate limits of its own, too. */
export class BoxClient {
  cookie = "";
  readonly #base: URL;
  readonly #agent: https.Agent;

  constructor({ base, ca, number }: { base: string; ca: string; number: number }) {
    this.#base = new URL(base);
    const localAddress = `127.0.1.${number}`;
    this.#agent = new https.Agent({
      ca,
      keepAlive: true,
      maxSockets: 8,
      localAddress,
      servername: "books.test",
    });
  }

  /** Returns status 0 if no answer comes. */
  ask(path: string, { method = "GET", headers = {}, body }: Asked = {}): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const none = () => resolve({ status: 0, headers: {}, text: "" });
    const request = https.request(
      {
        host: "127.0.0.1",
        port: this.#base.port,
        path,
        method,
        agent: this.#agent,
        timeout: ANSWER_MS,
        headers: {
          Host: this.#base.host,
          ...(this.cookie !== "" && { Cookie: this.cookie }),
          ...(body !== undefined && {
            "Content-Type": "application/json",
            "Content-Length": Buffer.byteLength(body),
          }),
          ...headers,
        },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", none);
        response.on("end", () => {
          const { statusCode: status = 0, headers: answered } = response;
          resolve({ status, headers: answered, text: Buffer.concat(parts).toString() });
        });
      },
    );
    request.on("error", none);
    request.on("timeout", () => request.destroy());
    request.end(body);
    return promise;
  }

  json(path: string, value: object, more: Asked = {}) {
    const headers = { Accept: "application/json", ...more.headers };
    return this.ask(path, { method: "POST", ...more, headers, body: JSON.stringify(value) });
  }

  /** Registers by email, opens the link, and logs in. `mails` returns all emails so far. */
  async register(username: string, mails: () => string) {
    const login = { email: `${username}@example.org`, password: PASSWORD };
    const created = await this.json("/account/create", { username, displayname: username, ...login });
    if (created.status !== 200) throw new Error(`create: ${created.status} ${created.text}`);
    const link = new RegExp(`To: ${username}@example[^]*?verify\\?t=(\\w+)`).exec(mails())?.[1] ?? "";
    await this.json("/account/verify", { t: link, password: login.password });
    return this.login(username);
  }

  async login(username: string) {
    const login = { username: `${username}@example.org`, password: PASSWORD };
    const { status, headers, text } = await this.json("/account/login", login);
    const session = headers["set-cookie"]?.find((one) => one.startsWith("session="));
    if (session === undefined) throw new Error(`login: ${status} ${text}`);
    this.cookie = session.split(";")[0] ?? "";
  }

  close() {
    this.#agent.destroy();
  }
}
