// npm: @modelcontextprotocol/client, the official client, against the running service.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, inject, it } from "vitest";

const { main } = inject("carrel");

describe.each(["legacy", "auto"] as const)("/mcp for a client that negotiates %s", (mode) => {
  it("answers calls, reads resources and says where to sign in", async () => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", main)));
    const { structuredContent } = await client.callTool({
      name: "lookup_books",
      arguments: { ids: ["9780141439518", "/works/OL1W"] },
    });
    expect(structuredContent).toMatchObject({
      found: [{ record: { key: "/books/OL1M" } }, { record: { key: "/works/OL1W" } }],
      missing: [],
    });
    const { contents } = await client.readResource({ uri: `${main}/authors/OL1A` });
    expect(contents).toMatchObject([
      { mimeType: "application/json", text: expect.stringContaining("Jane Austen") },
    ]);
    await expect(client.callTool({ name: "my_lists", arguments: {} })).rejects.toMatchObject({ status: 401 });
    await client.close();
  });
});
