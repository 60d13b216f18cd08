// A file under test as its own text: what is imported as '../README.md?raw'.
module.exports = {
  process: (text, path) => {
    const value = JSON.stringify(text);
    // Jest goes by the file's own name and package: a config of the bundler's is an ES module to it.
    return path.endsWith('.js')
      ? { code: `export default ${value};` }
      : { code: `module.exports = { __esModule: true, default: ${value} };` };
  },
};
