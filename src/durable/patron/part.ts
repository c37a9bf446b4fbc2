import { RpcTarget } from "cloudflare:workers";
import type { PatronCore } from "../storage.ts";

/** Part of a patron's object. Remote callers can use its methods, and reach nothing else of it. */
export class PatronPart extends RpcTarget {
  protected readonly core: PatronCore;

  constructor(core: PatronCore) {
    super();
    this.core = core;
  }
}
