export function isSourceMap(path: string): boolean {
  return path.endsWith('.map');
}

const HAS_INLINE_MAP = /\.([cm]?js|css)$/;
const INLINE_MAP = /^\s*\/[/*][#@]\s*sourceMappingURL=data:[^\s'"`]{64}/m;
/** Longer than any match of INLINE_MAP, in characters. */
const OVERLAP = 1024;

/** Finds a source map within a script or style sheet, which, unlike a separate one, would be sent to every visitor. Reads it in any pieces. */
export function createInlineMapFinder(path: string): (piece: Uint8Array) => boolean {
  if (!HAS_INLINE_MAP.test(path)) return () => false;
  let before = '';
  return (piece) => {
    const text = before + Buffer.from(piece).toString('latin1');
    // The cut is no beginning of a line.
    before = text.length > OVERLAP ? `-${text.slice(-OVERLAP)}` : text;
    return INLINE_MAP.test(text);
  };
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
