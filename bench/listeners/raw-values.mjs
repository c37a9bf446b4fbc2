/** What clients of HTTP never send. Text stands for bytes, one character each. */

export const METHODS =
  "get FOO PROPFIND SEARCH TRACE PURGE M-SEARCH QUERY OPTIONS HEAD PATCH DELETE PUT LOCK UNSUBSCRIBE".split(
    " ",
  );
export const HOSTS = [
  "evil.example",
  "",
  "a b<>",
  "x:99999999",
  "x:",
  "[::1]:8080",
  "[::1",
  "user:password@x",
  "xn--a",
  "\xff\xfe",
  "a".repeat(4000),
  "x/y?z#",
  "127.0.0.1, evil.example",
  "%00",
  "999.999.999.999",
];
export const PERCENT = [
  "%",
  "%zz",
  "%f",
  "%ff%fe",
  "%00",
  "%ed%a0%80",
  "%c0%ae%c0%ae%c0%af",
  "%u0041",
  "%2e%2e%2f",
  "%0d%0aSet-Cookie:%20fuzz=1",
  "%250d%250a",
  "%F4%90%80%80",
  "%E2%80%AE",
  "+",
  ";a=b",
  "/./..//",
  "\\",
  "%5c..%5c",
  "{}|^`<>\"'",
];
/** Bytes that no address may have; most are refused before the service sees them. */
export const BYTES = ["\0", "\xff", "\xc3\x28", "\x01", "\x7f", "\xed\xa0\x80", "\xf0\x9f\x98\x80", "\t"];
export const RANGES = [
  "bytes=0-0",
  "bytes=-0",
  "bytes=-1",
  "bytes=5-4",
  "bytes=0-",
  "bytes=99999999999999999999-",
  "bytes=0-99999999999999999999",
  "bytes=-99999999999999999999",
  "bytes=0x1-2",
  "bytes= 0 - 5 ",
  "bytes=--5",
  `bytes=${"0-,".repeat(2000)}`,
  "items=0-5",
  "bytes",
  "=",
  "bytes=0-1,3-4",
  "BYTES=0-1",
];
const TAGS = [
  '"',
  '""',
  "*",
  "*, *",
  'W/"',
  'W/"1"',
  '"1", "2"',
  '"\xff"',
  ",".repeat(5000),
  `"${"x".repeat(5000)}"`,
  "1",
];
const DATES = [
  "Sun, 22 Nov 2026 00:00:00 GMT",
  "Sun, 22 Nov 99999 00:00:00 GMT",
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "0",
  "-1",
  "x",
  "Sunday, 22-Nov-26 00:00:00 GMT",
  '"1"',
];
export const CONDITIONS = /** @type {[name: string, values: readonly string[]][]} */ ([
  ["Range", RANGES],
  ["If-Range", [...TAGS, ...DATES]],
  ["If-None-Match", TAGS],
  ["If-Match", TAGS],
  ["If-Modified-Since", DATES],
  ["If-Unmodified-Since", DATES],
]);
export const COOKIES = [
  "session",
  "session=",
  "session=%zz",
  "session=%00",
  "session=\xff\xfe",
  "session=/people/admin,2026-11-22T00:00:00,a$b",
  'session="quoted"',
  "; ; =; =x; x",
  "__proto__=x; constructor=y",
  "carrel_bookmark=x; carrel_bookmark=y",
  "carrel_bookmark=00000001-00000002-00000003-0123456789abcdef0123456789abcdef",
  `session=${"x".repeat(8000)}`,
  `${"a=b; ".repeat(3000)}`,
  "session=a; session=b",
];
/** Headers that the service reads, or that proxies set. */
export const NAMES = (
  "Accept Accept-Language Accept-Encoding Authorization X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto CF-Connecting-IP " +
  "Origin Referer Sec-Fetch-Site X-Carrel-Bookmark Last-Event-ID User-Agent Content-Type Content-Language X-REMOTE-IP " +
  "X-Requested-With Content-Encoding Cookie Access-Control-Request-Method Access-Control-Request-Headers Forwarded Via " +
  "X-HTTP-Method-Override Opt Idempotency-Key Prefer Date Content-Disposition __proto__ constructor X-Request-Id"
).split(" ");
export const VALUES = [
  "",
  " ",
  "\t",
  "\xff\xfe\x80",
  "a,b;q=2;;=",
  "*",
  "*/*;q=nan, text/html;q=-1",
  "Bearer",
  "Bearer ",
  "Bearer \xff",
  "Basic ====",
  "null",
  "http://",
  "http://[::1",
  "https://evil.example",
  "::1",
  "::ffff:1.2.3.4",
  "999.1.1.1",
  "x".repeat(5000),
  "(((((",
  "multipart/form-data",
  "application/json; charset=utf-16",
  "a\tb",
];
export const CHARSETS = [
  "utf-16",
  "utf-16le",
  "iso-8859-1",
  "windows-1252",
  "x",
  '"utf-8"',
  "UTF-8; charset=latin1",
  "",
  "\xff",
];
export const UPGRADES = /** @type {[name: string, value: string][][]} */ ([
  [
    ["Upgrade", "websocket"],
    ["Connection", "Upgrade"],
    ["Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="],
    ["Sec-WebSocket-Version", "13"],
  ],
  [
    ["Upgrade", "h2c"],
    ["Connection", "Upgrade, HTTP2-Settings"],
    ["HTTP2-Settings", "AAMAAABkAARAAAAAAAIAAAAA"],
  ],
  [["Connection", "keep-alive, X, Content-Type"]],
  [["TE", "trailers, deflate;q=0.5"]],
  [["Expect", "100-continue"]],
  [["Expect", "200-maybe"]],
]);
export const ENCODINGS = ["gzip", "deflate", "br", "gzip, gzip", "x", "identity"];
