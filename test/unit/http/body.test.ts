import { describe, expect, it } from "vitest";
import * as z from "zod";
import { bodyBytes, bodyText } from "../../../src/worker/http/bytes.ts";
import { operation } from "../../../src/worker/http/operation.ts";
import { receiveBody } from "../../../src/worker/http/request-body.ts";

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
    const refused = {
      status: 400,
      body: { error: "bad_data", message: "The request body ended early. Send it again." },
    };
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

// Q710
describe("a file in a form field", () => {
  const upload = operation({
    id: "upload",
    summary: "",
    tag: "",
    form: { file: z.string() },
    responses: {},
    handle: () => ({ status: 200, body: null }),
  });

  it.each([
    ["UTF-8 with a mark", [0xef, 0xbb, 0xbf, 0xc3, 0xa9]],
    ["UTF-16, little-endian", [0xff, 0xfe, 0xe9, 0x00]],
    ["UTF-16, big-endian", [0xfe, 0xff, 0x00, 0xe9]],
    ["Windows-1252", [0xe9]],
  ])("is read as %s", async (_name, bytes) => {
    const head =
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n';
    const body = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from("\r\n--b--\r\n")]);
    const headers = {
      "Content-Type": "multipart/form-data; boundary=b",
      "Content-Length": String(body.length),
    };
    const received = await receiveBody(upload, new Request("http://x/", { method: "POST", body, headers }));
    expect(received.kind === "form" && received.fields.get("file")).toBe("é");
  });
});
