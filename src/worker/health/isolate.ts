import type { Sources } from "../context.ts";

let started: number | undefined;

/** When this isolate was first asked, in milliseconds since the epoch: clocks stand still while a module starts. */
export function isolateStarted(sources: Sources): number {
  return (started ??= sources.now());
}
