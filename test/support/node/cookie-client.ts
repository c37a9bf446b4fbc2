/** An HTTP client with the cookies of a session, as Python's `requests.Session` is one: it follows redirects itself. */
export class CookieClient {
  readonly cookies = new Map<string, string>();
  private readonly base: string;

  constructor(base: string) {
    this.base = base;
  }

  /** Sends a request and follows redirects: 301 to 303 with GET and without a body. */
  async request(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    let url = new URL(path, this.base);
    let next: RequestInit = { ...init, method };
    for (let hop = 0; hop < 30; hop += 1) {
      const response = await this.once(url, next);
      const location = response.headers.get("Location");
      if (response.status < 300 || response.status >= 400 || location === null) return response;
      await response.body?.cancel();
      url = new URL(location, url);
      if (response.status < 304 && next.method !== "HEAD") next = { method: "GET" };
    }
    throw new Error("too many redirects");
  }

  private async once(url: URL, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("User-Agent", "python-requests/2.31.0");
    headers.set("Accept", "*/*");
    if (this.cookies.size > 0) {
      headers.set("Cookie", [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    }
    // `requests` sends text without saying what it is.
    const body = typeof init.body === "string" ? new TextEncoder().encode(init.body) : init.body;
    const response = await fetch(url, {
      ...init,
      ...(body === undefined ? {} : { body }),
      headers,
      redirect: "manual",
    });
    for (const cookie of response.headers.getSetCookie()) this.keep(cookie);
    return response;
  }

  private keep(cookie: string): void {
    const [pair = "", ...attributes] = cookie.split(";");
    const equals = pair.indexOf("=");
    const name = pair.slice(0, equals).trim();
    const isGone = attributes.some((one) => /^\s*max-age=0\s*$/i.test(one));
    if (isGone) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(equals + 1).trim());
  }
}
