import { describe, expect, it } from "vitest";
import { richText } from "../../../src/worker/ui/rich-text.ts";

const render = (text: string) => String(richText(text));

describe("richText", () => {
  it.each([
    ["plain & <b>", '<p class="lines" dir="auto">plain &amp; &lt;b&gt;</p>'],
    ["a **bold** word", '<p dir="auto">a <strong>bold</strong> word</p>'],
    ["one\ntwo", '<p dir="auto">one<br>two</p>'],
    ["[a](https://x.y)", '<p dir="auto"><a href="https://x.y" rel="nofollow ugc">a</a></p>'],
    ["[a][1]\n\n[1]: https://x.y", '<p dir="auto"><a href="https://x.y" rel="nofollow ugc">a</a></p>'],
    ["[a](javascript:alert(1))", '<p dir="auto">a</p>'],
    ["[a](//evil.example)", '<p dir="auto">a</p>'],
    ["*<img src=x onerror=y>*", '<p dir="auto"><em>&lt;img src=x onerror=y&gt;</em></p>'],
    ["<script>x</script>", '<p class="lines" dir="auto">&lt;script&gt;x&lt;/script&gt;</p>'],
    ["- one\n- two", '<ul><li dir="auto">one</li><li dir="auto">two</li></ul>'],
    ["# Title", '<p dir="auto"><strong>Title</strong></p>'],
    ["![picture](https://x.y/z.png)", '<p dir="auto">picture</p>'],
  ])("%j", (text, expected) => {
    expect(render(text)).toBe(expected);
  });

  it("is undefined for a blank text", () => {
    expect(richText(" \n")).toBeUndefined();
  });

  it.each([["*a_"], ["> "], ["1. "], ["["]])("shows %j, many times, as it is", (part) => {
    const text = part.repeat(6000);
    expect(render(text)).toContain('<p class="lines"');
  });
});
