/**
 * Loader for React Router in production. Statements at its top level (display names, calls of React, a static property) keep components in
 * the bundle that the page does not use: data routers, forms, error pages. Names are removed and the others marked as free of side effects.
 */
module.exports = (source) =>
  source
    .replace(/^\w+\.displayName = .*;$/gm, '')
    .replace(/(?<=^var \w+ = )(?=React\d*\.(?:createContext|forwardRef|memo)\()/gm, '/*#__PURE__*/ ')
    .replace(
      /^(var (\w+) = class extends React\d*\.Component \{)([\s\S]*?)^\2\.contextType = (\w+);$/gm,
      '$1\n  static get contextType() { return $4; }$3',
    );
