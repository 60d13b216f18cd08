/**
 * Removes files from node_modules that this project does not use: half of what npm unpacks. Runs after every
 * `npm ci` and `npm install`.
 * Packages are trimmed, never removed: their package.json stays, so that npm considers the tree complete.
 */
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const MODULES = join(import.meta.dirname, '../../../node_modules');

const UNUSED = [
  // Node's headers, for compiling add-ons.
  'node/node_modules/node-*/include',
  // Reports only use the regular weight, see readNotoSansSc.
  '@expo-google-fonts/noto-sans-sc/[1235-9]00*',
  // OCR uses one build of the engine and the small data, see openOcr.
  'tesseract.js-core/tesseract-core*.wasm.js',
  'tesseract.js-core/tesseract-core{,-simd,-relaxedsimd,-relaxedsimd-lstm,-lstm}.{js,wasm}',
  '@tesseract.js-data/*/4.0.0',
  // Dependencies of jspdf for drawing web pages, and its browser builds.
  '{canvg,core-js,dompurify,html2canvas}/!(package.json)',
  'jspdf/dist/*.{es,umd}.*',
  // The calendar is in Chinese and English, see calendar-pane.tsx.
  'date-fns/locale/!(en-US|zh-CN|_lib|types*)/',
  // The viewer of PDFs uses the legacy build, without WebAssembly, and no canvas of Node, see host/ui/src/pdf-pages.
  'pdfjs-dist/{build,iccs,image_decoders,standard_fonts,web}',
  'pdfjs-dist/legacy/{image_decoders,web}',
  'pdfjs-dist/legacy/build/pdf.{min,renderer,renderer.min,sandbox,sandbox.min,worker}.mjs',
  'pdfjs-dist/wasm/{*.wasm,quickjs*}',
  '**/@napi-rs/canvas-*/*.node',
  // Builds for script tags, variants that nothing imports, and tests.
  'recharts/umd',
  'date-fns/{cdn,fp}*',
  'rxjs/{src,dist/bundles}',
  'zod/src',
  'opencc-js/dist/{esm,umd}',
  '@mixmark-io/domino/{test,.yarn}',
  '**/*.map',
];

/** Links to the workspaces must not be followed. */
const isWorkspace = (name: string) => /^(api|host|mfe-[^/]+)(\/|$)/.test(name);

for (const path of globSync(UNUSED, { cwd: MODULES, exclude: isWorkspace })) {
  rmSync(join(MODULES, path), { recursive: true, force: true });
}
