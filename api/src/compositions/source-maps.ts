/**
 * The name of a source map is that of its script plus its own hash: `chat.1a2b3c4d5e6f.js` has
 * `chat.1a2b3c4d5e6f.0f1e2d3c4b5a.map`.
 */
export function isSourceMap(path: string): boolean {
  return path.endsWith('.map');
}

/** Whether `path` is the source map of `script`. */
export function isMapOf(path: string, script: string): boolean {
  const start = script.replace(/\.m?js$/, '.');
  return path.startsWith(start) && /^[0-9a-f]{12,64}\.map$/.test(path.slice(start.length));
}
