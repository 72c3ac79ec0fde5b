/**
 * Bundles src/ into paramwidget/static, or into a folder that is given: one ES module and one style sheet, the
 * same bytes on every run.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { minify } from "terser";

const here = fileURLToPath(new URL(".", import.meta.url));
const outdir = resolve(
  process.argv.slice(2).find((word) => !word.startsWith("--")) ?? join(here, "../paramwidget/static"),
);
// kB are 1000 bytes: a notebook saves the module's text once per widget, so its size is paid by the reader.
const BUDGETS = {
  "widget.js": { minified: 60_000, gzip: 22_000 },
  "compare.js": { minified: 24_000, gzip: 9_000 },
};

const options = {
  absWorkingDir: here,
  outdir,
  bundle: true,
  minify: true,
  metafile: true,
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  jsxFactory: "h",
  jsxFragment: "Fragment",
  logLevel: "warning",
};

const { metafile } = await build({
  ...options,
  entryPoints: { widget: "src/index.tsx", compare: "src/compare/index.tsx" },
  format: "esm",
});
// An exported page holds the widget's style sheet and its own, and runs the same code without a module loader.
await build({
  ...options,
  entryPoints: { page: "src/page.ts" },
  format: "iife",
  loader: { ".css": "empty" },
});
await build({ ...options, entryPoints: { page: "src/page.css" } });

// A second pass gives names by how often they come: a kilobyte less of gzip.
for (const [name, module] of [
  ["widget.js", true],
  ["compare.js", true],
  ["page.js", false],
]) {
  const path = join(outdir, name);
  const { code } = await minify(readFileSync(path, "utf8"), {
    module,
    ecma: 2020,
    compress: { passes: 3, unsafe_arrows: true },
    format: { ascii_only: false },
  });
  writeFileSync(path, code);
}

// `--files` lists what each source adds, before the second pass.
if (process.argv.includes("--files"))
  for (const { inputs } of Object.values(metafile.outputs))
    for (const [file, { bytesInOutput }] of Object.entries(inputs).sort(
      ([, a], [, b]) => b.bytesInOutput - a.bytesInOutput,
    ))
      if (bytesInOutput > 0) console.log(String(bytesInOutput).padStart(6), file);

for (const name of ["widget.js", "widget.css", "compare.js", "compare.css", "page.js", "page.css"]) {
  const bytes = readFileSync(join(outdir, name));
  const gzip = gzipSync(bytes, { level: 9 }).length;
  console.log(`${name}  ${bytes.length.toLocaleString("en")} bytes, ${gzip.toLocaleString("en")} gzip`);
  const budget = BUDGETS[name];
  if (budget && (bytes.length > budget.minified || gzip > budget.gzip)) {
    console.error(`${name} is over its budget of ${budget.minified} bytes, ${budget.gzip} gzip`);
    process.exitCode = 1;
  }
}
