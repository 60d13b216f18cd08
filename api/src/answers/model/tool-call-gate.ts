import type { TextGate } from '../../text/text-gate.ts';

/** The kind of a line: text to show, a tool call, the fence of a code block, or not known yet. */
type LineStart = 'text' | 'call' | 'fence' | 'wait';

/**
 * Removes tool calls in text form from a model's answer, as sent by servers that do not parse the format of
 * their model: tags, template marks, JSON at the beginning of a line, ReAct. Text after a call is removed
 * too, as it depends on a result that does not exist. Code is passed through unchanged, unless the answer
 * begins with it.
 */
export function createToolCallGate() {
  let held = '';
  /** The shown part of the current line; '' at its beginning. */
  let line = '';
  let isInFence = false;
  let hasSaid = false;
  let hasCall = false;

  function show(length: number): string {
    const text = held.slice(0, length);
    held = held.slice(length);
    hasSaid ||= text.trim() !== '';
    line = text.endsWith('\n') ? '' : line + text;
    return text;
  }

  /** Shows one line, or its beginning; '' if more input is needed. */
  function takeLine(isLast: boolean): string {
    if (line === '') {
      const start = isInFence ? fenceEnd(held, isLast) : lineStart(held, hasSaid, isLast);
      if (start === 'wait') return '';
      if (start === 'fence') isInFence = !isInFence;
      hasCall = start === 'call';
      if (hasCall) return '';
    }
    const newline = held.indexOf('\n') + 1;
    const end = newline || held.length;
    if (isInFence) return show(end);
    const mark = [...held.slice(0, end).matchAll(callMarks)].find(
      ({ index }) => !isInCode(line + held.slice(0, index)),
    );
    if (mark) {
      hasCall = true;
      return show(mark.index);
    }
    return show(newline || isLast ? end : beginningOfMark(held));
  }

  function release(isLast: boolean): string {
    let out = '';
    while (held !== '' && !hasCall) {
      const shown = takeLine(isLast);
      if (shown === '') break;
      out += shown;
    }
    if (hasCall) held = '';
    return out;
  }

  return {
    take(text: string) {
      held += text;
      return release(false);
    },
    rest: () => release(true),
    /** Whether the model has called a tool and expects its result. */
    get hasCall() {
      return hasCall;
    },
  } satisfies TextGate & { hasCall: boolean };
}

function fenceEnd(held: string, isLast: boolean): LineStart {
  if (!isLast && /^[ \t]*`{0,2}$/.test(held)) return 'wait';
  return /^[ \t]*```/.test(held) ? 'fence' : 'text';
}

const maxInfoLength = 80;

function lineStart(held: string, hasSaid: boolean, isLast: boolean): LineStart {
  if (!isLast && /^[ \t]*`{1,2}$/.test(held)) return 'wait';
  const fence = /^[ \t]*```([^\n]*)(\n?)/.exec(held);
  if (fence) {
    const [{ length }, info = '', newline] = fence;
    if (!newline && !isLast && length < maxInfoLength) return 'wait';
    if (/^\s*(?:tool|function)/i.test(info)) return 'call';
    const json = hasSaid || !/^\s*(?:json)?\s*$/i.test(info) ? 'text' : jsonStart(held.slice(length), isLast);
    return json === 'text' ? 'fence' : json;
  }
  if (/^[ \t]*[[{]/.test(held)) return jsonStart(held, isLast);
  if (/^Action:[ \t]*[^\n]{1,80}\n\s{0,20}Action Input:/.test(held)) return 'call';
  return !isLast && isBeginningOfReAct(held) ? 'wait' : 'text';
}

function isBeginningOfReAct(held: string): boolean {
  const [first = '', second] = held.split(/\n\s*/);
  if (second === undefined) return 'Action:'.startsWith(first) || /^Action:.{0,80}$/.test(first);
  return /^Action:.{1,80}$/.test(first) && 'Action Input:'.startsWith(second);
}

/** The first keys of JSON that may be a tool call, and the keys that identify one. */
const firstKeyOfCall =
  /^[\s[{]*"(?:id|type|name|tool|tool_name|tool_calls|function|function_call|function_name|action|action_input|arguments|parameters)"/;
const keyOfCall = /"(?:arguments|parameters|tool_calls|function_call|action_input)"\s*:/;
/** A call contains one of these keys within this many UTF-16 units and before the first empty line. */
const maxCallLength = 2000;
const maxFirstKeyLength = 60;

function jsonStart(held: string, isLast: boolean): LineStart {
  if (!firstKeyOfCall.test(held)) {
    const mayBegin = held.length < maxFirstKeyLength && /^[\s[{]*(?:"[\w-]*)?$/.test(held);
    return mayBegin && !isLast ? 'wait' : 'text';
  }
  const blank = held.search(/\n[ \t]*\n/);
  const end = Math.min(maxCallLength, blank < 0 ? held.length : blank);
  if (keyOfCall.test(held.slice(0, end))) return 'call';
  return isLast || blank >= 0 || held.length >= maxCallLength ? 'text' : 'wait';
}

const bracketMarks = ['[TOOL_CALLS]', '[TOOL_CALL]', '[TOOL_REQUEST]', 'functools[', '✿FUNCTION✿'];

const callMarks = new RegExp(
  [
    // Tags: `<tool_call>`, `<function=search>`, `<invoke name="search">`.
    String.raw`<\/?(?:antml:)?(?:tool_?calls?|tool_?use|tool_?code|tool_?request|function_?calls?|function(?==|\s+name=)|invoke(?=\s+name=))(?=[\s=>:])[^<>\n]{0,200}>`,
    // Marks of templates: `<|tool_calls_begin|>`, `<|python_tag|>`.
    String.raw`<[|｜][^<>|｜\n]{0,60}(?:tool|function|python_tag|plugin|action_start)[^<>|｜\n]{0,60}[|｜]>`,
    ...bracketMarks.map((mark) => mark.replace(/[[\]]/g, String.raw`\$&`)),
  ].join('|'),
  'giu',
);

function isInCode(line: string): boolean {
  return (line.match(/`/g) ?? []).length % 2 === 1;
}

/** Start of a mark at the end of `text` that may be incomplete; the length without one. */
function beginningOfMark(text: string): number {
  const tag = text.lastIndexOf('<');
  if (tag >= 0 && /^<(?:\/?[a-z][^<>]{0,200}|\/|[|｜][^<>]{0,130})?$/i.test(text.slice(tag))) return tag;
  const upper = text.toUpperCase();
  for (let at = Math.max(0, text.length - 20); at < text.length; at += 1)
    if (bracketMarks.some((mark) => mark.toUpperCase().startsWith(upper.slice(at)))) return at;
  return text.length;
}
