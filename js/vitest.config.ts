import { defineConfig } from "vitest/config";

export default defineConfig({
  oxc: { jsx: { runtime: "classic", pragma: "h", pragmaFrag: "Fragment" } },
  test: { environment: "happy-dom", include: ["test/**/*.test.{ts,tsx}"] },
});
