/** The value of a JSON text, or of one JSON object or array a line; undefined where it is neither. */
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

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
