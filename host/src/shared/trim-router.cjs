/**
 * Loader for React Router in production. Statements at its top level (display names, calls of React, a static property) keep components in
 * the bundle that the page does not use: data routers, forms, error pages. Names are removed and the others marked as free of side effects, or
 * written so that the bundler sees which export of React they use. Without a data router, one of the two ways to navigate is never taken.
 */
module.exports = (source) =>
  source
    .replace(/^\w+\.displayName = .*;$/gm, '')
    .replace(
      /(?<=^var \w+ = )(?=(?:React\d*\.(?:createContext|forwardRef|memo)|Symbol)\()/gm,
      '/*#__PURE__*/ ',
    )
    .replace(/^var (\w+) = "(\w+)";\nvar (\w+) = (React\d*)\[\1\];$/gm, 'var $3 = $4.$2;')
    .replace('isDataRoute ? useNavigateStable() : useNavigateUnstable()', 'useNavigateUnstable()')
    .replace(
      /^(var (\w+) = class extends React\d*\.Component \{)([\s\S]*?)^\2\.contextType = (\w+);$/gm,
      '$1\n  static get contextType() { return $4; }$3',
    );
