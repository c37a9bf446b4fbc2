import { main } from "./lib/local-service.ts";

await main(process.argv.slice(2), process.env);
