const { types } = require('@babel/core');

/** Babel for dependency-cruiser: reduces a TypeScript module to its imports. Those of types become plain imports, so that rules see them. */
module.exports = {
  babelrc: false,
  configFile: false,
  compact: true,
  parserOpts: { plugins: ['typescript', 'explicitResourceManagement'], attachComment: false },
  plugins: [{ parserOverride: (code, options, parse) => toImports(parseModule(code, options, parse)) }],
};

/** The file's name is not known here: a `.ts` file may contain what is no JSX, `<T>(value: T) => …`. */
function parseModule(code, options, parse) {
  try {
    return parse(code, options);
  } catch {
    return parse(code, { ...options, plugins: [...options.plugins, 'jsx'] });
  }
}

function toImports(file) {
  const sources = [];
  types.traverseFast(file.program, (node) => {
    if (types.isTSImportType(node)) sources.push(node.argument);
    else if (types.isCallExpression(node) && types.isImport(node.callee)) sources.push(node.arguments[0]);
    else if (types.isImportOrExportDeclaration(node) && node.source) sources.push(node.source);
  });
  const literals = sources.filter((source) => types.isStringLiteral(source));
  file.program.body = literals.map((source) => types.importDeclaration([], source));
  return file;
}
