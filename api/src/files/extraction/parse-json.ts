/** Parses JSON, or JSON Lines of objects or arrays; undefined if it is neither. */
export function parseJson(text: string): unknown {
  const whole = tryParse(text.replace(/^\ufeff/, ''));
  if (whole !== undefined) return whole;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || !/^\s*[[{]/.test(lines[1]!)) return undefined;
  const values: unknown[] = [];
  for (const line of lines) {
    const value = tryParse(line);
    if (typeof value !== 'object' || value === null) return undefined;
    values.push(value);
  }
  return values;
}

/** Numbers that JavaScript cannot represent exactly; ids are often that long. */
const longNumber = /\d{16}|\de\+?\d{3}/i;

function tryParse(text: string): unknown {
  // JSON.parse with a reviver overflows the stack earlier than without one.
  const exact = longNumber.test(text) ? parseOr(text, asWritten) : undefined;
  return exact ?? parseOr(text);
}

function parseOr(text: string, revive?: typeof asWritten): unknown {
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}

/** Keeps the digits of a number that would lose precision. */
function asWritten(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && isChanged(value, source) ? source : value;
}

function isChanged(value: number, source: string): boolean {
  return longNumber.test(source) && String(value) !== source;
}
