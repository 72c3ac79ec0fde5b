/**
 * Bundles src/ into paramwidget/static, or into a folder that is given, the same bytes on every run: widget.js with its
 * style sheet, more.js that it brings later, compare.js, and both in one for an exported page.
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
  "more.js": { minified: 24_000, gzip: 10_500 },
  "compare.js": { minified: 20_000, gzip: 8_000 },
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
  mangleProps: new RegExp(`^(${INTERNAL.join("|")})$`),
};

const { metafile, mangleCache } = await build({
  ...options,
  entryPoints: { widget: "src/index.tsx", compare: "src/compare/index.tsx" },
  format: "esm",
  mangleCache: {},
});
options.mangleCache = mangleCache;

// The second module is a function of what the first lends it (src/core.ts); it holds none of that again.
const lent = [...readFileSync(join(here, "src/core.ts"), "utf8").matchAll(/^export \{ (.*) \} from/gm)]
  .flatMap(([, names]) => names.split(", "))
  // Quoted: a name of a module is not shortened as the property of the same name is.
  .map((name) => `"${name}": ${name}`)
  .join();
const core = {
  name: "core",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\]core\.ts$/ }, () => ({
      contents: `export const { ${lent} } = __core;`,
      loader: "js",
    }));
  },
};
const second = await build({
  ...options,
  entryPoints: { more: "src/more.ts" },
  format: "iife",
  globalName: "__more",
  banner: { js: "export default (__core) => {" },
  footer: { js: "return __more;};" },
  plugins: [core],
});
const inputs = (result, name) =>
  Object.keys(Object.entries(result.outputs).find(([path]) => path.endsWith(name))[1].inputs);
const twice = inputs(second.metafile, "more.js").filter(
  (file) => inputs(metafile, "widget.js").includes(file) && file !== "src/core.ts",
);
if (twice.length)
  throw Error(
    `In both modules: ${twice.join(", ")}. What the second needs of the first it imports from core.ts.`,
  );
Object.assign(metafile.outputs, second.metafile.outputs);
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
  ["more.js", true],
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

for (const name of [
  "widget.js",
  "more.js",
  "widget.css",
  "compare.js",
  "compare.css",
  "page.js",
  "page.css",
]) {
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
  const most = BUDGET[name];
  if (most && (size.minified > most.minified || size.gzip > most.gzip)) {
    console.error(`${name} is over its budget of ${most.minified} bytes, ${most.gzip} gzip`);
    process.exitCode = 1;
  }
}
