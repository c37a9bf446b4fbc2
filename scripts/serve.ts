import { serve } from "./lib/serve/service.ts";

await serve(process.argv.slice(2), process.env);
