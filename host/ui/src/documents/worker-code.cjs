const { readFileSync } = require('node:fs');

/** How pdf.js loads its decoder of JPEG 2000 images where WebAssembly is not allowed. */
const DECODER =
  /const (\w+)=`\$\{this\.#\w+\}openjpeg_nowasm_fallback\.js`;(.{0,60}?)await import\(\s*(?:\/\*[^*]*\*\/\s*)*\1\s*\)\)\.default\(\)/;
const EXPORT = 'export default ';

/**
 * Loader for the worker of pdf.js: a module that exports its code as a string, from which the page starts it. The decoder of JPEG 2000 images is
 * part of it, because a worker cannot check the integrity of scripts that it imports.
 */
module.exports = function workerCode(source) {
  const file = require.resolve('pdfjs-dist/wasm/openjpeg_nowasm_fallback.js', { paths: [this.context] });
  this.addDependency(file);
  const decoder = readFileSync(file, 'utf8');
  if (decoder.split(EXPORT).length !== 2) throw new Error('the decoder must have one export');
  if (!DECODER.test(source)) throw new Error('the worker of pdf.js loads its decoder in another way');
  const code = source.replace(DECODER, '$2decodeJpeg2000()())');
  if (/\bimport\s*\(/.test(code)) throw new Error('the worker of pdf.js must not import scripts');
  const wrapped = decoder.replace(EXPORT, 'return ').replace(/import\.meta\.url/g, '""');
  return `export default ${JSON.stringify(`const decodeJpeg2000=()=>{${wrapped}};${code}`)};`;
};
