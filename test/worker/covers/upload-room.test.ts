// Bounds the bytes of uploads that an isolate holds at a time.
import { describe, expect, it, vi } from "vitest";
import { COVER_BYTES } from "../../../src/worker/covers/check-image.ts";
import { ROOM_LOOK_MS, ROOM_WAIT_MS } from "../../../src/worker/http/room.ts";
import {
  UPLOADS_BYTES_MAX,
  UPLOAD_ROOM_MS,
  changeRoomForImage,
  withRoomForBody,
} from "../../../src/worker/covers/room.ts";
import { pngChunk, pngImage } from "../../support/covers/real-images.ts";
import { imageFile, toStore } from "../../support/worker/cover-store.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
let now = 1_000_000;
const sources = { now: () => now };
const HALF = UPLOADS_BYTES_MAX / 2;

/** A request whose body is so long; undefined: it does not say. */
const upload = (length?: number) => ({
  sources,
  request: new Request("http://here.test/", {
    headers: length === undefined ? {} : { "Content-Length": String(length) },
  }),
});
const done = (): Promise<string> => Promise.resolve("done");
const NO_ROOM = { status: 503, headers: { "Retry-After": "10" } };

/** Starts an upload that lasts until `end`. */
function lasting(length: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = upload(length);
  let isRunning = false;
  const ended = withRoomForBody(asked, () => {
    isRunning = true;
    return promise;
  });
  return {
    asked,
    isRunning: () => isRunning,
    end: () => {
      resolve();
      return ended;
    },
  };
}

/** Runs something while waits take no time. */
async function inNoTime(run: () => Promise<void>): Promise<void> {
  const wait = vi.spyOn(scheduler, "wait").mockResolvedValue();
  try {
    await run();
  } finally {
    wait.mockRestore();
  }
}

describe("withRoomForBody", () => {
  it("runs uploads while there is room, and the next when one has ended", async () => {
    const [first, second, third] = [lasting(HALF), lasting(HALF), lasting(1)];
    await scheduler.wait(1);
    expect([first, second, third].map((one) => one.isRunning())).toEqual([true, true, false]);
    await first.end();
    await vi.waitFor(() => expect(third.isRunning()).toBe(true));
    await Promise.all([second.end(), third.end()]);
  });

  it("answers 503 after a while, and frees room after a failure", async () => {
    const all = lasting(UPLOADS_BYTES_MAX);
    await inNoTime(async () => {
      await expect(withRoomForBody(upload(1), done)).rejects.toMatchObject(NO_ROOM);
      expect(vi.mocked(scheduler.wait)).toHaveBeenCalledTimes(ROOM_WAIT_MS / ROOM_LOOK_MS);
    });
    await all.end();
    const broken = withRoomForBody(upload(UPLOADS_BYTES_MAX), () => Promise.reject(new Error("broken")));
    await expect(broken).rejects.toThrow("broken");
    expect(await withRoomForBody(upload(UPLOADS_BYTES_MAX), done)).toBe("done");
  });

  it("limits each account to a share", async () => {
    const of = (username: string) => ({ ...upload(HALF), session: () => Promise.resolve({ username }) });
    const { promise, resolve } = Promise.withResolvers<void>();
    const hanging = withRoomForBody(of("joe"), () => promise);
    await inNoTime(async () => {
      await expect(withRoomForBody(of("joe"), done)).rejects.toMatchObject(NO_ROOM);
    });
    expect(await withRoomForBody(of("ann"), done)).toBe("done");
    resolve();
    await hanging;
    expect(await withRoomForBody(of("joe"), done)).toBe("done");
  });

  it("frees the room of uploads that never end", async () => {
    lasting(UPLOADS_BYTES_MAX);
    now += UPLOAD_ROOM_MS;
    expect(await withRoomForBody(upload(UPLOADS_BYTES_MAX), done)).toBe("done");
  });

  it("reserves the length of the body, or that of the largest image", async () => {
    const half = lasting(HALF);
    await inNoTime(async () => {
      expect(await withRoomForBody(upload(HALF), done)).toBe("done");
      await expect(withRoomForBody(upload(HALF + 1), done)).rejects.toMatchObject(NO_ROOM);
      const another = lasting(HALF - COVER_BYTES + 1);
      await expect(withRoomForBody(upload(), done)).rejects.toMatchObject(NO_ROOM);
      await another.end();
      expect(await withRoomForBody(upload(), done)).toBe("done");
    });
    await half.end();
    // Longer than everything that there is: alone.
    expect(await withRoomForBody(upload(999_999_999), done)).toBe("done");
  });

  it("reserves the largest image for a fetch", async () => {
    const one = lasting(UPLOADS_BYTES_MAX);
    await changeRoomForImage(one.asked);
    await inNoTime(async () => {
      expect(await withRoomForBody(upload(UPLOADS_BYTES_MAX - COVER_BYTES), done)).toBe("done");
      const more = withRoomForBody(upload(UPLOADS_BYTES_MAX - COVER_BYTES + 1), done);
      await expect(more).rejects.toMatchObject(NO_ROOM);
    });
    await one.end();
    expect(await withRoomForBody(upload(UPLOADS_BYTES_MAX), done)).toBe("done");
  });

  it("lets concurrent uploads wait for room", async () => {
    const file = pngImage(9, 9, { chunks: [pngChunk("teSt", new Uint8Array(9_000_000))] });
    expect(3 * file.length).toBeGreaterThan(UPLOADS_BYTES_MAX);
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => toStore(service, "/b/upload2", { data: imageFile(file) })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await Promise.all(answers.map((answer) => answer.body?.cancel()));
  });
});
