import { expect, it } from "vitest";
import { DEFAULT_SITE, pageLanguage } from "../../../src/worker/http/pages/reader.ts";

it.each([
  [null, null, null, "en"],
  [null, null, "de-CH, fr;q=0.9", "de"],
  [null, null, "nl, pt-BR;q=0.9, ar-EG;q=0.8, en;q=0.5", "ar"],
  [null, null, "ja", "en"],
  [null, "other=1; HTTP_LANG=fr", "de", "fr"],
  [null, "HTTP_LANG=xx", "es", "es"],
  ["de", "HTTP_LANG=fr", "es", "de"],
  ["xx", "HTTP_LANG=fr", "es", "fr"],
  [null, null, `${"x".repeat(300)},de`, "en"],
])("lang=%s, Cookie: %s, Accept-Language: %s: %s", (stated, cookie, accepted, expected) => {
  const headers = new Headers();
  if (cookie !== null) headers.set("Cookie", cookie);
  if (accepted !== null) headers.set("Accept-Language", accepted);
  expect(pageLanguage(new Request("http://carrel.test/", { headers }), DEFAULT_SITE, stated)).toBe(expected);
});
