/** Loader for `locales/<language>/*.json`: as ES modules they need less of the bundler's runtime than JSON modules. */
module.exports = (source) => `export default ${JSON.stringify(JSON.parse(source))};`;
