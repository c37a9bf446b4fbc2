import { isEmail } from "../../catalog/accounts.ts";
import { WEB_ADDRESS } from "../../catalog/allowed-url.ts";
import { type Reader, type SiteSettings, colorsOf, logoAddress } from "../http/pages/reader.ts";
import { type Markup, type Piece, forReader, markup } from "./markup.ts";
import { link } from "./parts.ts";
import { type Words, t } from "./words.ts";

const MARK = markup`<svg viewBox="0 0 64 64" aria-hidden="true"><rect width="64" height="64" rx="10"/><path d="M13 50V15h6v29h32v6z" fill="#fff"/><path d="M24 18h6v21h-6zm8 5h6v16h-6zm9-7 6 1-3 22-6-1z" fill="#e3b35c"/></svg>`;

/** Makes the logo of the service, which stands before its name. */
export function logoOf({ site: { logo } }: Reader): Markup {
  if (logo === null) return MARK;
  return markup`<img src="${logoAddress(logo)}" alt="" width="${logo.width}" height="${logo.height}">`;
}

export function iconLinks({ site: { logo } }: Reader): Markup {
  if (logo !== null) return markup`<link rel="icon" href="${logoAddress(logo)}">`;
  return markup`<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="icon" href="/static/favicon.ico" sizes="16x16">`;
}

/** Links the style sheet of the colours of the service, if they are not those of the software. */
export function siteStyle({ site }: Reader): Piece {
  const colors = colorsOf(site);
  if (colors === undefined) return undefined;
  const name = [colors.light, colors.dark].map((color) => color.slice(1)).join("/");
  return markup`
<link rel="stylesheet" href="/site/colors/${name}.css">`;
}

/** Sentence of the owner that says what the catalog is, or that of the software. */
export const ownerSentence = forReader(({ site: { sentence, language }, language: shown }) => {
  if (sentence === "") return t("home.title");
  return language === shown ? sentence : markup`<span lang="${language}" dir="auto">${sentence}</span>`;
});

/** Texts of the owner with their titles. They are at `/site/<name>` unless they are a URL. */
export const OWNER_TEXTS = {
  imprint: "site.imprint",
  privacy: "site.privacy",
  terms: "site.terms",
} as const satisfies Readonly<Record<string, Words>>;
export type OwnerText = keyof typeof OWNER_TEXTS;
// The keys of a constant are those of its type.
export const OWNER_TEXT_NAMES = Object.keys(OWNER_TEXTS) as OwnerText[];

/** Lists the links of the owner: contact and texts, as far as they are set. */
export function ownerLinks(site: SiteSettings): Markup[] {
  const { contact } = site;
  const texts = OWNER_TEXT_NAMES.filter((name) => site[name] !== "");
  return [
    ...(contact === "" ? [] : [link(isEmail(contact) ? `mailto:${contact}` : contact, t("site.contact"))]),
    ...texts.map((name) =>
      link(WEB_ADDRESS.test(site[name]) ? site[name] : `/site/${name}`, t(OWNER_TEXTS[name])),
    ),
  ];
}
