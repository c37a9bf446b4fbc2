import { html } from "hono/html";
import { operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** `GET /docs`: the interface to read and to try; every file of it is served by Carrel itself. */
export const docs = operation({
  id: "docs",
  summary: "The interface to read and to try",
  tag: "service",
  responses: { 200: { description: "A page", contentType: "text/html" } },
  handle: (): Reply => ({
    status: 200,
    body: String(page),
    contentType: "text/html; charset=utf-8",
    cacheControl: "public, max-age=300",
    headers: { "Content-Security-Policy": CSP, "Referrer-Policy": "no-referrer" },
  }),
});

const page = html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>Carrel: the interface</title>
      <link rel="icon" href="/static/favicon.ico" />
      <link rel="stylesheet" href="/docs/assets/swagger-ui.css" />
    </head>
    <body>
      <main id="interface" aria-label="Interface description">
        <noscript>
          <p>
            This page needs JavaScript. The same description stands at
            <a href="/openapi.json">/openapi.json</a>.
          </p>
        </noscript>
      </main>
      <script src="/docs/assets/swagger-ui-bundle.js"></script>
      <script src="/static/docs.js"></script>
    </body>
  </html>`;
