import { describe, expect, it } from "vitest";
import { bodyBytes, bodyText } from "../../../src/worker/http/bytes.ts";

/** A request whose body comes in these pieces, and then breaks off. */
function brokenOff(...pieces: readonly string[]): Request {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[at];
      at += 1;
      if (piece === undefined) controller.error(new Error("Network connection lost."));
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
  // Node asks for `duplex`, which the runtime has not.
  return new Request("http://x/", Object.assign({ method: "POST", body }, { duplex: "half" }));
}

describe("a body that breaks off", () => {
  it.each([
    ["text", bodyText],
    ["bytes", bodyBytes],
  ] as const)("is a 400 of its sender, read as %s", async (_name, read) => {
    const refused = { status: 400, body: { error: "bad_data", message: "The request body broke off." } };
    await expect(read(brokenOff(), 100)).rejects.toMatchObject(refused);
    await expect(read(brokenOff("abc", "def"), 100)).rejects.toMatchObject(refused);
  });

  it.each([
    ["text", bodyText],
    ["bytes", bodyBytes],
  ] as const)("is a 413 if it was too long before, read as %s", async (_name, read) => {
    await expect(read(brokenOff("abcdef", "ghi"), 5)).rejects.toMatchObject({ status: 413 });
  });
});
