/** Returns the main element of a page, without the header and footer of all pages. */
export function mainOf(html: string): string {
  return /<main[^]*<\/main>/.exec(html)?.[0] ?? "";
}

/** Returns the text of a page without markup, with single blanks. */
export function textOf(html: string): string {
  return unescaped(html.replace(/<style>.*?<\/style>/gs, "").replace(/<[^>]+>/g, " "))
    .replace(/\s+/g, " ")
    .replace(/ ([.,)”])/g, "$1")
    .replace(/([(“]) /g, "$1");
}

/** Addresses of all links of a page, in their order. */
export function hrefs(html: string): string[] {
  return [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = ""]) => unescaped(href));
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

/** Returns the structured data of a page (JSON-LD). */
export function dataOf(html: string): unknown {
  return JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? "null");
}
