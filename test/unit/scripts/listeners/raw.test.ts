// What the fuzz of the listeners sends, and what it calls a broken promise.
import net from "node:net";
import { describe, expect, it } from "vitest";
import { randomFrom } from "../../../../bench/lib/random.mjs";
import { rawProblem } from "../../../../bench/listeners/raw-check.mjs";
import { exchanged } from "../../../../bench/listeners/raw-client.mjs";
import { framed } from "../../../../bench/listeners/raw-framing.mjs";
import { rawRequest } from "../../../../bench/listeners/raw-requests.mjs";

const SOUND = {
  "x-request-id": "1",
  "x-content-type-options": "nosniff",
  "content-type": "application/json",
};

function problemOf(
  status: number,
  body: string,
  headers: Record<string, string> = SOUND,
): string | undefined {
  const received = { status, headers, cookies: [], body: Buffer.from(body), ms: 1 };
  return rawProblem({ received, method: "GET", secrets: ["the-secret"], isService: false });
}

describe("an answer", () => {
  it.each([
    [200, "{}"],
    [404, '{"detail":"Not Found"}'],
    [503, '{"error":"read_only"}'],
  ])("accepts %i %s", (status, body) => {
    expect(problemOf(status, body)).toBeUndefined();
  });

  it("is one of the runtime, when it has no number", () => {
    expect(problemOf(400, "invalid URI", {})).toBeUndefined();
    expect(problemOf(501, "ERROR: Unrecognized request method.", {})).toBeUndefined();
  });

  it.each([
    [500, '{"detail":"Internal Server Error"}', SOUND, "status 500"],
    [500, "Internal Server Error", {}, "status 500"],
    [503, '{"detail":"x"}', SOUND, "status 503"],
    [404, '{"x":1}', SOUND, "404 in a shape of its own"],
    [404, "Not Found", SOUND, "404: the body is no JSON"],
    [200, '"the-secret"', SOUND, "a secret in the answer"],
    [400, '{"detail":"D1_ERROR: x"}', SOUND, "insides of the service in the answer"],
    [200, "{}", { ...SOUND, fuzz: "1" }, "a header out of the request"],
    [200, "{}", { "content-type": "application/json" }, "without X-Content-Type-Options"],
    [405, '{"detail":"x"}', SOUND, "405 without Allow"],
  ])("rejects %i %s", (status, body, headers, expected) => {
    expect(problemOf(status, body, { ...headers })).toBe(expected);
  });
});

describe("requests", () => {
  const request = { method: "GET", target: "/works/OL1W.json", headers: { Accept: "*/*" } };
  const made = (seed: number) => {
    const random = randomFrom(seed);
    return Array.from({ length: 100 }, () =>
      Buffer.concat(rawRequest(request, random).pieces).toString("latin1"),
    );
  };

  it("makes the same requests for the same seed, nearly all different", () => {
    expect(made(1)).toEqual(made(1));
    expect(new Set(made(1)).size).toBeGreaterThan(80);
    expect(made(1)).not.toEqual(made(2));
  });

  it("makes sound and broken chunked bodies", () => {
    const draft = { ...request, version: "HTTP/1.1", headers: [], body: Buffer.from("abc") };
    const end = (framing: "chunked" | "cut-chunk") =>
      Buffer.concat(framed({ ...draft, framing }).pieces)
        .toString()
        .split("\r\n\r\n")
        .slice(1)
        .join("|");
    expect(end("chunked")).toBe("3\r\nabc\r\n0|");
    expect(end("cut-chunk")).toBe("67\r\nabc");
  });
});

describe("what comes back", () => {
  const answered = async (answer: string, unfinished = false) => {
    const server = net.createServer((socket) => socket.end(answer));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const sent = { pieces: [Buffer.from("GET / HTTP/1.1\r\n\r\n")], unfinished, method: "GET" };
    const { status, body, problem } = await exchanged({ hostname: "127.0.0.1", port }, sent);
    server.close();
    return [status, body.toString(), problem];
  };

  it("reads an answer by length or in chunks, after interim answers", async () => {
    expect(await answered("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc")).toEqual([200, "ab", undefined]);
    const chunked =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 X\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n";
    expect(await answered(chunked)).toEqual([404, "ab", undefined]);
  });

  it("reports a missing answer or one that is cut off", async () => {
    const cut = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc";
    expect(await answered(cut)).toEqual([200, "abc", "the answer is cut off"]);
    expect(await answered("")).toEqual([0, "", "closed without an answer"]);
    expect(await answered("", true)).toEqual([0, "", undefined]);
  });

  it("may be lost with the bytes that were refused, when they are many", async () => {
    const server = net.createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.resetAndDestroy());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const refused = async (bytes: number) => {
      const sent = { pieces: [Buffer.alloc(bytes, "a")], unfinished: false, method: "POST" };
      return (await exchanged({ hostname: "127.0.0.1", port }, sent)).problem;
    };
    expect(await refused(16 * 1024 * 1024)).toBeUndefined();
    expect(await refused(100)).toMatch(/closed without an answer|ECONNRESET/);
    server.close();
  });
});
