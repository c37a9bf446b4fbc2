import { deflateSync } from "node:zlib";
import * as images from "../test/support/covers/real-images.ts";
import { get } from "./lib/client.mjs";
import { compare } from "./lib/compare.mjs";
import { startCarrel, startR2 } from "./lib/instances.mjs";

/** @import { Instance } from "./lib/instances.mjs" */

const PORTS = { carrel: 28_080, bare: 28_081 };
const SECRET = "secret-of-the-covers-of-the-benchmark";
/** How often memory is looked at, in milliseconds. */
const LOOK_MS = 10;
/** Times that the set of images is sent. */
const TIMES = 5;
const MEGABYTE = 1_000_000;

/**
 * Uploads and reads of covers against a bare worker with a bucket, and the memory that images take which are as large as may
 * be, or made to take more.
 * @param {{ seconds: number, rounds: number, only: string }} options
 */
export async function benchCovers({ only, ...timing }) {
  if (only.includes("memory")) await memory();
  if (only.includes("upload") || only.includes("read")) await ratios(only, timing);
}

async function memory() {
  const carrel = await startCarrel(PORTS.carrel, { vars: { COVERS_SECRET: SECRET } });
  try {
    await sent(carrel, images.jpegImage(600, 900));
    const atRest = carrel.memory();
    console.log(`workerd before any other image: ${megabytes(atRest)} MB`);
    for (const [name, file, expected] of extremes()) {
      let most = 0;
      let slowest = 0;
      const looking = setInterval(() => (most = Math.max(most, carrel.memory())), LOOK_MS);
      for (let time = 0; time < TIMES; time += 1) {
        const before = performance.now();
        const status = await sent(carrel, file);
        slowest = Math.max(slowest, performance.now() - before);
        if (status !== expected) console.log(`  ${name}: ${status} in place of ${expected}`);
      }
      clearInterval(looking);
      most = Math.max(most, carrel.memory());
      const size = `${(file.length / MEGABYTE).toFixed(1)} MB`;
      console.log(
        `${name} (${size}): ${expected}, at most ${megabytes(most - atRest)} MB more, ${Math.round(slowest)} ms`,
      );
    }
    console.log(`workerd afterwards: ${megabytes(carrel.memory())} MB`);
  } finally {
    await carrel.stop();
  }
}

/** @returns {[name: string, file: Uint8Array, status: number][]} */
function extremes() {
  const bomb = images.joined([97, 0, 0], deflateSync(Buffer.alloc(1000 * MEGABYTE), { level: 9 }));
  const profile = images.pngChunk("iCCP", bomb);
  const padding = images.pngChunk("teSt", new Uint8Array(9 * MEGABYTE));
  return [
    ["JPEG of 6 million pixels", images.jpegImage(2000, 3000, { components: 3 }), 200],
    [
      "progressive JPEG of 5 million",
      images.jpegImage(2000, 2500, { components: 3, progressive: true }),
      200,
    ],
    ["PNG of 6 million", images.pngImage(2000, 3000, { colour: 6 }), 200],
    ["PNG of 3.7 million and 9 MB", images.pngImage(1900, 1950, { colour: 6, chunks: [padding] }), 200],
    ["WebP of 5 million", images.webpOf(images.lossyChunk(2000, 2500)), 200],
    ["GIF of 2 million", images.gifImage(1000, 2000), 200],
    ["JPEG of 12 million, made smaller first", images.jpegImage(4032, 3024, { components: 3 }), 200],
    ["JPEG of 50 million, made smaller first", images.jpegImage(8160, 6120, { components: 3 }), 200],
    ["PNG with a colour profile of a gigabyte", images.pngImage(100, 100, { chunks: [profile] }), 200],
    [
      "PNG with a gigabyte of rows",
      images.pngImage(100, 100, { rows: new Uint8Array(1000 * MEGABYTE) }),
      200,
    ],
    [
      "GIF whose frame exceeds it",
      images.gifImage(10, 10, { frameWidth: 4000, frameHeight: 4000, pixels: 9 }),
      400,
    ],
    ["JPEG in 51 passes", images.jpegImage(2000, 2500, { progressive: true, scans: 51 }), 400],
    ["JPEG in 50 passes", images.jpegImage(2000, 2500, { progressive: true, scans: 50 }), 200],
    ["WebP of 16,383 pixels a side", images.webpOf(images.losslessChunk(16_383, 16_383)), 400],
    ["JPEG cut in half", images.jpegImage(2000, 2900, { components: 3 }).subarray(0, 100_000), 400],
  ];
}

/**
 * @param {string} only
 * @param {{ seconds: number, rounds: number }} timing
 */
async function ratios(only, timing) {
  const carrel = await startCarrel(PORTS.carrel, { vars: { COVERS_SECRET: SECRET } });
  const bare = await startR2(PORTS.bare);
  try {
    const file = await drawn();
    console.log(`\na cover of 600 x 900 pixels, ${Math.round(file.length / 1000)} KB`);
    const pair = { carrel: carrel.port, baseline: bare.port, ...timing };
    const theirs = request("/upload", file, "image/jpeg");
    if (only.includes("upload")) {
      const ours = uploadOf(file);
      for (const connections of [1, 16]) {
        await compare(`upload, ${connections} at a time`, {
          ...pair,
          connections,
          ours: () => ours,
          theirs: () => theirs,
        });
      }
    }
    if (only.includes("read")) {
      const { id } = await stored(carrel, file);
      const medium = await (await fetch(`${carrel.url}/b/id/${id}-M.jpg`)).arrayBuffer();
      await fetch(`${bare.url}/original`, { method: "POST", body: file });
      await fetch(`${bare.url}/medium`, { method: "POST", body: medium });
      for (const [name, path, same] of [
        ["the original", `/b/id/${id}.jpg`, "/original"],
        ["size M", `/b/id/${id}-M.jpg`, "/medium"],
        ["a cover that is not there", "/b/id/77-M.jpg", "/nothing"],
      ]) {
        await compare(`${name} / the same out of a bucket`, {
          ...pair,
          ours: () => get(path ?? ""),
          theirs: () => get(same ?? ""),
        });
      }
    }
  } finally {
    await carrel.stop();
    await bare.stop();
  }
}

/** A picture with as many details as a photograph: noise in colours, which packs badly. */
async function drawn() {
  let random = 1;
  const next = () => (random = (random * 48_271) % 2_147_483_647) % 48;
  const png = images.drawnPng(600, 900, (x, y) => [
    (x / 3 + next()) % 256,
    (y / 4 + next()) % 256,
    (x + y) % 256,
    255,
  ]);
  const carrel = await startCarrel(PORTS.carrel + 2, { vars: { COVERS_SECRET: SECRET } });
  try {
    // Carrel's own largest size is a photograph like others.
    const { id } = await stored(carrel, png);
    return new Uint8Array(await (await fetch(`${carrel.url}/b/id/${id}-L.jpg`)).arrayBuffer());
  } finally {
    await carrel.stop();
  }
}

/** @param {Uint8Array} file */
function form(file) {
  const data = new FormData();
  data.append("data", new File([Uint8Array.from(file)], "cover.jpg"));
  data.append("olid", "OL1M");
  return data;
}

const HEADERS = { Authorization: `Bearer ${SECRET}` };

/**
 * @param {Instance} carrel
 * @param {Uint8Array} file
 */
async function sent({ url }, file) {
  const response = await fetch(`${url}/b/upload2`, { method: "POST", body: form(file), headers: HEADERS });
  await response.arrayBuffer();
  return response.status;
}

/**
 * @param {Instance} carrel
 * @param {Uint8Array} file
 */
async function stored({ url }, file) {
  const response = await fetch(`${url}/b/upload2`, { method: "POST", body: form(file), headers: HEADERS });
  if (!response.ok) throw new Error(`upload2: ${response.status} ${await response.text()}`);
  return /** @type {{ id: number }} */ (await response.json());
}

/** @param {Uint8Array} file */
function uploadOf(file) {
  const boundary = "boundary-of-the-benchmark";
  const body = Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="data"; filename="c.jpg"\r\n\r\n`),
    file,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return request("/b/upload2", body, `multipart/form-data; boundary=${boundary}`);
}

/**
 * @param {string} path
 * @param {Uint8Array} body
 * @param {string} type
 */
function request(path, body, type) {
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${HEADERS.Authorization}\r\n`;
  return Buffer.concat([
    Buffer.from(`${head}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`),
    body,
  ]);
}

/** @param {number} bytes */
function megabytes(bytes) {
  return Math.round(bytes / MEGABYTE);
}
