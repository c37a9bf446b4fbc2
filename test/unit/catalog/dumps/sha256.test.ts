import { createHash, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { SHA256_START, finishSha256, updateSha256 } from "../../../../src/catalog/dumps/sha256.ts";

const nodeSha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

it("equals the SHA-256 of Node for every length up to 200 bytes", () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = randomBytes(length);
    expect(finishSha256(updateSha256(SHA256_START, bytes))).toBe(nodeSha256(bytes));
  }
});

it("is independent of how the bytes are split, with the state as JSON between parts", () => {
  const bytes = randomBytes(10_000);
  let sum = SHA256_START;
  for (let at = 0, part = 0; at < bytes.length; at += part, part = (part * 7 + 1) % 300) {
    sum = JSON.parse(JSON.stringify(updateSha256(sum, bytes.subarray(at, at + part))));
  }
  expect(sum.bytes).toBe(bytes.length);
  expect(finishSha256(sum)).toBe(nodeSha256(bytes));
});

it("appends the length as 64 bits: 2^29 bytes are 2^32 bits", () => {
  // The state after 2^29 zero bytes. Hashing them here would take 8 s.
  const words = [-1047244010, 248528400, 1309697257, 797640274, -450399059, 106865193, -909917626, 235716722];
  // head -c 536870912 /dev/zero | sha256sum
  const expected = "9acca8e8c22201155389f65abbf6bc9723edc7384ead80503839f49dcc56d767";
  expect(finishSha256({ words, rest: [], bytes: 2 ** 29 })).toBe(expected);
});
