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
import { INTERNAL } from "./internal.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const outdir = resolve(
  process.argv.slice(2).find((word) => !word.startsWith("--")) ?? join(here, "../paramwidget/static"),
);
// kB are 1000 bytes: a notebook saves the module's text once per widget, so its size is paid by the reader.
const BUDGET = {
  "widget.js": { minified: 60_000, gzip: 22_000 },
  "compare.js": { minified: 20_000, gzip: 8_000 },
};
// Reading and reconciling claims in the browser costs 6 kB of gzip, and the whole is over its budget: until it is
// under it again, it may at least not grow.
const CEILING = { ...BUDGET, "widget.js": { minified: 69_200, gzip: 27_550 } };

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
  mangleProps: new RegExp(`^(${INTERNAL.join("|")})$`),
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
  const size = { minified: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
  console.log(
    `${name}  ${Object.entries(size)
      .map(([what, n]) => {
        const budget = BUDGET[name] ? ` (budget ${BUDGET[name][what].toLocaleString("en")})` : "";
        return `${n.toLocaleString("en")} bytes ${what}${budget}`;
      })
      .join(", ")}`,
  );
  const most = CEILING[name];
  if (most && (size.minified > most.minified || size.gzip > most.gzip)) {
    console.error(`${name} has grown over ${most.minified} bytes, ${most.gzip} gzip`);
    process.exitCode = 1;
  }
}
