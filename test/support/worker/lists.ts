import type { TestRecord } from "./service.ts";

type Members = Partial<TestRecord>;

/** A list or series: the key decides which. */
export function list(key: string, seeds: readonly unknown[], members: Members = {}): TestRecord {
  const isSeries = key.startsWith("/series/");
  return {
    key,
    type: isSeries ? "/type/series" : "/type/list",
    ...(seeds.length === 0 ? {} : { seeds }),
    ...members,
  };
}

/** A user without an account. */
export function user(name: string): TestRecord {
  return { key: `/people/${name}`, type: "/type/user", displayname: name };
}

/** A minute of a day, as records have their times. */
export function atMinute(minute: number): string {
  const hours = String(Math.floor(minute / 60)).padStart(2, "0");
  return `2026-11-02T${hours}:${String(minute % 60).padStart(2, "0")}:00.000000`;
}
