const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

/** Encodings of simplified and traditional Chinese. */
const CHINESE = /^(GB|UniGB|Adobe-GB1|B5|ETen|ETHK|HK|CNS|UniCNS|Adobe-CNS1)/;

/** Loader for a character map of pdf.js: a module that exports all Chinese ones, by name, as base64. */
module.exports = function characterMaps() {
  const folder = path.dirname(this.resourcePath);
  const maps = readdirSync(folder)
    .filter((name) => CHINESE.test(name))
    .map((name) => [name, readFileSync(path.join(folder, name), 'base64')]);
  return `export default ${JSON.stringify(Object.fromEntries(maps))};`;
};
