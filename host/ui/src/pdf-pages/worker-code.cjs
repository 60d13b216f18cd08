const { readFileSync } = require('node:fs');

/** How pdf.js loads a decoder of images where WebAssembly is not allowed. */
const DECODER = /import\(\s*(?:\/\*[^*]*\*\/\s*)*`\$\{WasmImage\.#\w+\}\$\{this\._noWasmFilename\}`\s*\)/;
const DECODERS = ['jbig2_nowasm_fallback.js', 'openjpeg_nowasm_fallback.js'];
const EXPORT = 'export default function';

/**
 * Loader for the worker of pdf.js: a module that exports its code as a string, from which the page starts it. The decoders of JBIG2, CCITT and
 * JPEG 2000 images are part of it, because a worker cannot check the integrity of scripts that it imports.
 */
module.exports = function workerCode(source) {
  const decoders = DECODERS.map((name) => {
    const file = require.resolve(`pdfjs-dist/wasm/${name}`, { paths: [this.context] });
    this.addDependency(file);
    const code = readFileSync(file, 'utf8');
    if (code.split(EXPORT).length !== 2) throw new Error(`${name} must export one function`);
    return `"${name}":${code.slice(code.indexOf(EXPORT)).replace(EXPORT, 'function')}`;
  });
  if (!DECODER.test(source)) throw new Error('the worker of pdf.js loads its decoders in another way');
  const code = source.replace(DECODER, 'Promise.resolve({default:imageDecoders[this._noWasmFilename]})');
  if (/\bimport\s*\(/.test(code)) throw new Error('the worker of pdf.js must not import scripts');
  return `export default ${JSON.stringify(`const imageDecoders={${decoders.join(',')}};${code}`)};`;
};
