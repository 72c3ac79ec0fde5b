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
const BUDGETS = {
  "widget.js": { minified: 60_000, gzip: 22_000 },
  "compare.js": { minified: 40_000, gzip: 15_000 },
};

await build({
  entryPoints: { widget: "src/index.tsx", compare: "src/compare/index.tsx" },
  absWorkingDir: here,
  outdir,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});

for (const name of ["widget.js", "widget.css", "compare.js", "compare.css"]) {
  const bytes = readFileSync(join(outdir, name));
  const gzip = gzipSync(bytes, { level: 9 }).length;
  console.log(`${name}  ${bytes.length.toLocaleString("en")} bytes, ${gzip.toLocaleString("en")} gzip`);
  const budget = BUDGETS[name];
  if (budget && (bytes.length > budget.minified || gzip > budget.gzip)) {
    console.error(`${name} is over its budget of ${budget.minified} bytes, ${budget.gzip} gzip`);
    process.exitCode = 1;
  }
}
