export function isSourceMap(path: string): boolean {
  return path.endsWith('.map');
}

/**
 * Whether `path` is the source map of `script`. Standard builds add `.map` to the script's name; here a map has its own hash:
 * `chat.1a2b3c4d5e6f.js` has `chat.1a2b3c4d5e6f.0f1e2d3c4b5a.map`.
 */
export function isMapOf(path: string, script: string): boolean {
  const start = script.replace(/\.[cm]?js$/, '.');
  return (
    path === `${script}.map` ||
    (path.startsWith(start) && /^([0-9a-f]{12,64}\.)?map$/.test(path.slice(start.length)))
  );
}
