/** Serves the development page with rebuilds on change: `node dev/serve.mjs`, then open the printed address. */
import { context } from "esbuild";

const here = new URL(".", import.meta.url).pathname;
const page = await context({
  entryPoints: { page: `${here}page.tsx` },
  outdir: `${here}out`,
  bundle: true,
  format: "esm",
  target: "es2022",
  jsxFactory: "h",
  jsxFragment: "Fragment",
  sourcemap: "inline",
});
if (process.argv.includes("--once")) {
  await page.rebuild();
  await page.dispose();
} else {
  await page.watch();
  const { port } = await page.serve({ servedir: here, host: "127.0.0.1" });
  console.log(`http://127.0.0.1:${port}/?model=gptOss&theme=light`);
}
