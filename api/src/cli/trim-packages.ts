/**
 * Removes from node_modules what nothing here reads: half of what npm unpacks. Runs after every `npm ci` and `npm install`.
 *
 * A package is trimmed, never removed: its package.json stays, so that npm finds the tree complete.
 */
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const MODULES = join(import.meta.dirname, '../../../node_modules');

const UNUSED = [
  // The headers of Node, for compiling add-ons.
  'node/node_modules/node-*/include',
  // Reports use the regular weight alone, see readNotoSansSc.
  '@expo-google-fonts/noto-sans-sc/[1235-9]00*',
  // Words in images are read by one build of the engine and the small data, see openOcr.
  'tesseract.js-core/tesseract-core*.wasm.js',
  'tesseract.js-core/tesseract-core{,-simd,-relaxedsimd,-relaxedsimd-lstm,-lstm}.{js,wasm}',
  '@tesseract.js-data/*/4.0.0',
  // What jspdf needs to draw web pages, and its builds for browsers.
  '{canvg,core-js,dompurify,html2canvas}/!(package.json)',
  'jspdf/dist/*.{es,umd}.*',
  // Builds for script tags, variants that nothing imports, and tests.
  'recharts/umd',
  'date-fns/{cdn,fp}*',
  'zod/src',
  'opencc-js/dist/{esm,umd}',
  '@mixmark-io/domino/{test,.yarn}',
  '**/*.map',
];

/** Links lead to the workspaces. */
const isWorkspace = (name: string) => /^(api|host|mfe-[^/]+)(\/|$)/.test(name);

for (const path of globSync(UNUSED, { cwd: MODULES, exclude: isWorkspace })) {
  rmSync(join(MODULES, path), { recursive: true, force: true });
}
