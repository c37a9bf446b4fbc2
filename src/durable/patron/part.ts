import { RpcTarget } from "cloudflare:workers";
import type { PatronCore } from "../storage.ts";

/** A part of a patron's object: others call what its methods are, and reach nothing else of it. */
export class PatronPart extends RpcTarget {
  protected readonly core: PatronCore;

  constructor(core: PatronCore) {
    super();
    this.core = core;
  }
}
