// What covers are measured against: a bare Hono worker that puts a body into R2, or sends it from there.
import { Hono } from "hono";

interface Bindings {
  Bindings: { BUCKET: R2Bucket };
}

const app = new Hono<Bindings>();

app.post("/:name", async (c) => {
  await c.env.BUCKET.put(c.req.param("name"), await c.req.arrayBuffer());
  return c.json({ ok: 1 });
});

app.get("/:name", async (c) => {
  const found = await c.env.BUCKET.get(c.req.param("name"));
  if (found === null) return c.notFound();
  return c.body(found.body, 200, { "Content-Type": "image/jpeg" });
});

export default app;
