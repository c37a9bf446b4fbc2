import { expect, it } from "vitest";
import { loggablePath } from "../../../src/worker/http/log.ts";

const CODE = "0123456789abcdef0123456789abcdef";

it.each([
  [`/account/password/reset/${CODE}`, "/account/password/reset/…"],
  [`/account/email/verify/${CODE}`, "/account/email/verify/…"],
  [`/account/verify/${CODE.toUpperCase()}`, "/account/verify/…"],
  ["/account/password/forgot", "/account/password/forgot"],
  ["/works/OL1W.json", "/works/OL1W.json"],
])("%s is logged as %s", (path, logged) => {
  expect(loggablePath(path)).toBe(logged);
});
