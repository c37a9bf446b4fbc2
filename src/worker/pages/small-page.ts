import { raw } from "hono/html";
import type { Reply } from "../reply.ts";
import { PAGE_CSP } from "./layout.ts";
import { type Piece, markup } from "./markup.ts";

/** Small pages that others may show inside theirs: they have no forms and nothing that belongs to a session. */
const EMBED_CSP = PAGE_CSP.replace("frame-ancestors 'none'", "frame-ancestors *");

const STYLE = `
:root { color-scheme: light dark; }
body { font: 0.9rem/1.4 system-ui, sans-serif; margin: 0.5rem; overflow-wrap: anywhere; }
a { color: light-dark(#0a4f8f, #8cc4ff); }
:focus-visible { outline: 3px solid; outline-offset: 2px; }
h1 { font-size: 1.1rem; }
`;

/** A small page. Its links are to leave the frame by themselves (`target="_top"`). */
export function smallPage({ title, body }: { readonly title: string; readonly body: Piece }): Reply {
  const document = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  return {
    status: 200,
    body: String(document),
    contentType: "text/html; charset=utf-8",
    cacheControl: "public, max-age=60",
    headers: { "Content-Security-Policy": EMBED_CSP, "Referrer-Policy": "same-origin" },
  };
}
