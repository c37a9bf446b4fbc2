import * as z from "zod";
import { english } from "../../catalog/texts.ts";
import { DEFAULT_COLORS, colorsOf, logoAddress } from "../http/pages/reader.ts";
import { notFound } from "../http/errors.ts";
import { operation, rootPath } from "../http/operation.ts";
import { json } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { WEB_ADDRESS } from "../../catalog/allowed-url.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { OWNER_TEXTS, OWNER_TEXT_NAMES } from "../ui/owner.ts";
import { richText } from "../ui/rich-text.ts";
import { t } from "../ui/words.ts";

/** The address of a file changes with its content. */
const FOREVER = "public, max-age=31536000, immutable";
const MINUTE = "public, max-age=60";

/** Types of logos by the ending of the file. Vector images are refused: they can have scripts. */
export const LOGO_TYPES = { png: "image/png", webp: "image/webp", jpg: "image/jpeg" } as const;

/** Largest logo in bytes, and its sides in pixels. */
export const LOGO_BYTES = 204_800;
export const LOGO_SIDES = { min: 16, max: 2000 };
/** Folder of logos in R2 `COVERS`. */
export const LOGO_FOLDER = "site/";

export const siteLogo = operation({
  id: "siteLogo",
  summary: "Get the logo of the site",
  tag: "service",
  path: {
    file: z
      .string()
      .regex(/^[\da-f]{16}\.(?:png|webp|jpg)$/)
      .describe("`file` of the settings"),
  },
  responses: {
    200: { description: "Image", contentType: "image/png", also: ["image/webp", "image/jpeg"] },
    404: { description: "Logo not found" },
  },
  async handle({ path: { file } }, { stores }) {
    const object = await stores.covers.get(LOGO_FOLDER + file);
    if (object === null) throw notFound();
    // The pattern has no other endings.
    const contentType = LOGO_TYPES[file.split(".")[1] as keyof typeof LOGO_TYPES];
    return { status: 200, body: object.body, contentType, cacheControl: FOREVER };
  },
});

const hex = z.string().regex(/^[\da-f]{6}$/);

/** `GET /site/colors/175a45/7fcfb0.css`: a style sheet, because the policy of pages allows no style in them. */
export const siteColors = operation({
  id: "siteColors",
  summary: "Get the style sheet of two accent colors",
  tag: "service",
  path: { light: hex.describe("Color on light pages"), dark: hex.describe("Color on dark pages") },
  responses: { 200: { description: "Style sheet", contentType: "text/css" } },
  handle: ({ path: { light, dark } }) => ({
    status: 200,
    body: `:root{--lamp:light-dark(#${light},#${dark});--mark:#${light}}\n`,
    contentType: "text/css; charset=utf-8",
    cacheControl: FOREVER,
  }),
});

const icon = z.object({ src: z.string(), sizes: z.string(), type: z.string() });
const PAPER = "#faf7f0";

export const siteManifest = operation({
  id: "siteManifest",
  summary: "Get the web app manifest",
  tag: "service",
  responses: {
    200: {
      description: "Web app manifest",
      contentType: "application/manifest+json",
      schema: z.looseObject({ name: z.string(), description: z.string(), icons: z.array(icon) }),
    },
  },
  async handle(_input, context) {
    const site = await context.site();
    const { name, sentence, logo } = site;
    const ending = logo?.file.split(".")[1] as keyof typeof LOGO_TYPES;
    const root = rootPath(context.settings.BASE_URL);
    const { src, ...image } =
      logo === null
        ? { src: "/static/icon.svg", sizes: "any", type: "image/svg+xml" }
        : { src: logoAddress(logo), sizes: `${logo.width}x${logo.height}`, type: LOGO_TYPES[ending] };
    const manifest = {
      name,
      short_name: name,
      ...(sentence === ""
        ? { description: english({ key: "home.title" }), lang: "en" }
        : { description: sentence, lang: site.language }),
      start_url: `${root}/`,
      display: "minimal-ui",
      background_color: PAPER,
      theme_color: (colorsOf(site) ?? DEFAULT_COLORS).light,
      icons: [{ src: root + src, ...image }],
    };
    return json(manifest, {
      contentType: "application/manifest+json",
      cacheControl: MINUTE,
    });
  },
});

/** `GET /site/imprint`, `/site/privacy`, `/site/terms`: a text of the owner. */
export const siteText = resource({
  id: "siteText",
  summary: "Get the imprint, the privacy policy or the terms of use",
  tag: "service",
  path: { text: z.enum(OWNER_TEXT_NAMES).describe("Name of the text") },
  responses: {
    200: {
      description: "Text in Markdown, as JSON or HTML",
      schema: z.object({ name: z.string(), language: z.string(), text: z.string() }),
    },
    404: { description: "The site has no such text, or has it at another URL" },
  },
  async read({ path: { text: member } }, context) {
    const site = await context.site();
    const text = site[member];
    if (text === "" || WEB_ADDRESS.test(text)) throw notFound();
    return { name: site.name, language: site.language, text };
  },
  asJson: (data) => json(data, { cacheControl: MINUTE }),
  page: ({ language, text }, { path: { text: member } }) =>
    page({
      title: t(OWNER_TEXTS[member]),
      body: markup`<div class="text" lang="${language}">${richText(text)}</div>`,
      cacheControl: MINUTE,
    }),
});
