/**
 * Bundles src/ into paramwidget/static, or into a folder that is given: one ES module and one style sheet, the
 * same bytes on every run.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const outdir = resolve(process.argv[2] ?? join(here, "../paramwidget/static"));
// kB are 1000 bytes: a notebook saves the module's text once per widget, so its size is paid by the reader.
const BUDGET = { minified: 60_000, gzip: 22_000 };

const options = {
  absWorkingDir: here,
  outdir,
  bundle: true,
  minify: true,
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
};

await build({ ...options, entryPoints: { widget: "src/index.tsx" }, format: "esm" });
// An exported page holds the widget's style sheet and its own, and runs the same code without a module loader.
await build({
  ...options,
  entryPoints: { page: "src/page.ts" },
  format: "iife",
  loader: { ".css": "empty" },
});
await build({ ...options, entryPoints: { page: "src/page.css" } });

let over = false;
for (const name of ["widget.js", "widget.css", "page.js", "page.css"]) {
  const bytes = readFileSync(join(outdir, name));
  const gzip = gzipSync(bytes, { level: 9 }).length;
  console.log(`${name}  ${bytes.length.toLocaleString("en")} bytes, ${gzip.toLocaleString("en")} gzip`);
  if (name === "widget.js") over = bytes.length > BUDGET.minified || gzip > BUDGET.gzip;
}
if (over) {
  console.error(`widget.js is over its budget of ${BUDGET.minified} bytes, ${BUDGET.gzip} gzip`);
  process.exitCode = 1;
}
