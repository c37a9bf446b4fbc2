/** Languages of the pages, by their ISO 639-1 codes; the first one is the default. */
export const LANGUAGES = ["en", "de", "fr", "es", "ar"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Cookie that stores a reader's choice. */
export const LANGUAGE_COOKIE = "HTTP_LANG";
const COOKIE = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([a-z]{2})`, "i");
/** Characters of `Accept-Language` that are read. */
const ACCEPT_LENGTH = 200;

export function chosenLanguage({ headers }: Request): string | undefined {
  return COOKIE.exec(headers.get("Cookie") ?? "")?.[1];
}

/**
 * Returns the language of the pages (Q591): `stated` in the address, else that of the cookie, else the first supported
 * one of the browser's.
 */
export function pageLanguage(request: Request, stated?: string | null): Language {
  const accepted = (request.headers.get("Accept-Language") ?? "").slice(0, ACCEPT_LENGTH).split(",");
  for (const wanted of [stated, chosenLanguage(request), ...accepted]) {
    const code = (wanted ?? "").trim().slice(0, 2).toLowerCase();
    const known = LANGUAGES.find((language) => language === code);
    if (known !== undefined) return known;
  }
  return LANGUAGES[0];
}
