import { allowedUrl } from "../../catalog/allowed-url.ts";
import type { Settings } from "../context.ts";
import { CarrelError } from "../errors.ts";
import { NO_STORE, type Reply, json, redirect } from "../reply.ts";
import { ilsError } from "./ils-error.ts";

/** How the answer to an upload reaches who sent it. */
export interface UploadReplies {
  readonly ok: () => Reply;
  /** The answer to what was refused; throws it as JSON, and any other error as it is. */
  readonly refused: (error: unknown) => Reply;
}

/**
 * Answers lead back to the library system, with what became of it, where `redirect_url` is of one of its hosts (Q384); all others
 * are JSON, so that this address leads nobody anywhere.
 */
export function uploadReplies(redirectUrl: string, { ILS_HOSTS }: Settings): UploadReplies {
  const target = allowedUrl(redirectUrl, ILS_HOSTS);
  return {
    ok: () =>
      target === undefined
        ? json({ status: "ok" }, { cacheControl: NO_STORE })
        : back(target, { status: "ok" }),
    refused: (error) => {
      if (target === undefined || !(error instanceof CarrelError) || error.status === 401) throw error;
      return back(target, { status: "error", reason: error.message });
    },
  };
}

/** 400 of an upload: `olid missing`, `bad olid`, `upload failed`. */
export function uploadFailed(reason: string): CarrelError {
  return ilsError(400, reason);
}

function back({ href }: URL, members: Readonly<Record<string, string>>): Reply {
  const [address = "", ...fragment] = href.split("#");
  const joint = address.includes("?") ? "&" : "?";
  const location = [address + joint + new URLSearchParams(members).toString(), ...fragment].join("#");
  return redirect(303, location, { cacheControl: NO_STORE });
}
