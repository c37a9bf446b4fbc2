import { createHash, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { SHA256_START, sha256Text, sha256With } from "../../../../src/catalog/dumps/sha256.ts";

const ofNode = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

it("is the same for whatever number of bytes", () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = randomBytes(length);
    expect(sha256Text(sha256With(SHA256_START, bytes))).toBe(ofNode(bytes));
  }
});

it("is the same in whatever parts the bytes come, each by somebody else", () => {
  const bytes = randomBytes(10_000);
  let sum = SHA256_START;
  for (let at = 0, part = 0; at < bytes.length; at += part, part = (part * 7 + 1) % 300) {
    sum = JSON.parse(JSON.stringify(sha256With(sum, bytes.subarray(at, at + part))));
  }
  expect(sum.bytes).toBe(bytes.length);
  expect(sha256Text(sum)).toBe(ofNode(bytes));
});

it("knows how long more than half a gigabyte is", () => {
  const part = Buffer.alloc(2 ** 25, "carrel");
  const node = createHash("sha256");
  let sum = SHA256_START;
  for (let count = 0; count < 17; count += 1) {
    sum = sha256With(sum, part);
    node.update(part);
  }
  expect(sha256Text(sum)).toBe(node.digest("hex"));
});
