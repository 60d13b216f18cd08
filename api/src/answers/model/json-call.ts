/** Whether a text begins with JSON that calls a tool, and how long that is. */
export type JsonVerdict = { kind: 'call'; length: number } | { kind: 'none' } | { kind: 'wait' };

const none: JsonVerdict = { kind: 'none' };
const wait: JsonVerdict = { kind: 'wait' };
/** JSON that has no end by then is none, in units. */
const longest = 20_000;
const longestBeginning = 60;

const keysOfCalls = new Set([
  'id',
  'type',
  'name',
  'tool',
  'tool_name',
  'tool_calls',
  'function',
  'function_call',
  'function_name',
  'action',
  'action_input',
  'arguments',
  'parameters',
]);

/** @param isLast nothing more will come: JSON that is not whole is judged by what there is of it. */
export function judgeJson(text: string, isLast: boolean): JsonVerdict {
  const [beginning, key, quote] = /^[\s[{]*(?:"([\w-]*)("?))?/.exec(text)!;
  if (beginning.length === text.length && quote !== '"')
    return !isLast && text.length < longestBeginning ? wait : none;
  if (key === undefined || !keysOfCalls.has(key)) return none;
  const length = lengthOfValue(text);
  if (length === null) {
    if (!isLast && text.length < longest) return wait;
    const isCall = /"(?:arguments|parameters|tool_calls|function_call|action_input)"/.test(text);
    return isLast && isCall ? { kind: 'call', length: text.length } : none;
  }
  return isCall(parse(text.slice(0, length))) ? { kind: 'call', length } : none;
}

/** Behind the bracket that closes the first one; null where none does yet. */
function lengthOfValue(text: string): number | null {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInText && character === '\\') at += 1;
    else if (character === '"') isInText = !isInText;
    else if (isInText) continue;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

function isCall(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isCall);
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  if ('tool_calls' in fields || 'function_call' in fields) return true;
  if (isCall(fields.function)) return true;
  const names = [
    fields.name,
    fields.tool,
    fields.tool_name,
    fields.function,
    fields.function_name,
    fields.action,
  ];
  const given = [fields.arguments, fields.parameters, fields.args, fields.input, fields.action_input];
  return names.some((name) => typeof name === 'string') && given.some((one) => one !== undefined);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
