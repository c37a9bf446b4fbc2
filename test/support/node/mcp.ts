import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Time limit of one answer, in milliseconds. */
const ANSWER_MS = 20_000;
const PROTOCOL_VERSION = "2025-06-18";

/** Result of a tool call. */
export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly isError?: boolean;
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A server that speaks MCP over its standard input and output: JSON-RPC, one message a line. */
export class McpServer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #requests = 0;
  #log = "";

  constructor(script: string, env: Record<string, string>) {
    this.#child = spawn(process.execPath, [script], { env: { ...process.env, ...env } });
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#log += text));
    createInterface(this.#child.stdout).on("line", (line) => {
      const answer = JSON.parse(line) as Answer;
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer);
    });
  }

  /** Shakes hands; gives what the server says of itself. */
  async initialize(): Promise<unknown> {
    const clientInfo = { name: "carrel-tests", version: "1.0.0" };
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo };
    const result = await this.request("initialize", params);
    this.#send({ method: "notifications/initialized" });
    return result;
  }

  async callTool(name: string, args: Record<string, unknown>): Promise<ToolResult> {
    // The one shape that the protocol has for the result of a tool.
    return (await this.request("tools/call", { name, arguments: args })) as ToolResult;
  }

  async request(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
    const id = (this.#requests += 1);
    const answer = await new Promise<Answer>((resolve, reject) => {
      const giveUp = () => reject(new Error(`No answer to ${method}. The server's log:\n${this.#log}`));
      const timer = setTimeout(giveUp, ANSWER_MS);
      this.#waiting.set(id, (found) => {
        clearTimeout(timer);
        resolve(found);
      });
      this.#send({ id, method, params });
    });
    if (answer.error !== undefined) throw new Error(answer.error.message);
    return answer.result;
  }

  async close(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill();
    await ended;
  }

  #send(message: Record<string, unknown>): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}
