import { judgeJson } from './json-call.ts';

export interface ToolCallGate {
  /** What may be shown now of all that came. */
  take(text: string): string;
  /** What was still held at the end. */
  rest(): string;
  /** Nothing was said after the last call: the model waits for its result. */
  readonly endsInCall: boolean;
}

/** The beginning of a held text: shown, a call to leave out, or too short to tell. */
type Verdict =
  | { kind: 'plain'; togglesFence?: boolean }
  | { kind: 'call'; length: number; close: RegExp }
  | { kind: 'wait' };

const plain: Verdict = { kind: 'plain' };
const wait: Verdict = { kind: 'wait' };
/** A call that ends where it was recognised, and one that has no end. */
const here = /^/;
const never = /(?!)/;
/** More of a call than its closing mark can be long is not held, in units. */
const longestClose = 60;

/**
 * Takes calls of tools out of a model's text, as they come where a server does not understand its own model's format: tags, template marks,
 * JSON at the beginning of a line, ReAct. Code is let through as it is, unless it is the beginning of the answer.
 */
export function createToolCallGate(): ToolCallGate {
  let held = '';
  /** The end of the call that is being left out; null outside of calls. */
  let closing: RegExp | null = null;
  /** What was shown of the current line; '' at its beginning. */
  let line = '';
  let isInFence = false;
  let hasSaid = false;
  let endsInCall = false;

  function show(length: number): string {
    const text = held.slice(0, length);
    held = held.slice(length);
    if (text.trim() !== '') [hasSaid, endsInCall] = [true, false];
    line = text.endsWith('\n') ? '' : line + text;
    return text;
  }

  function leaveOut(length: number, close: RegExp): void {
    held = held.slice(length);
    closing = close;
    endsInCall = true;
  }

  /** Drops the call as far as it came; true when it is over. */
  function endCall(isLast: boolean): boolean {
    const end = closing!.exec(held);
    if (!end) {
      held = isLast ? '' : held.slice(-longestClose);
      return false;
    }
    held = held.slice(end.index + end[0].length);
    closing = null;
    return true;
  }

  /** One line, or as much of it as can be told. null: more has to come first. */
  function takeLine(isLast: boolean): string | null {
    if (line === '') {
      const verdict = isInFence ? fenceEnd(held, isLast) : lineStart(held, hasSaid, isLast);
      if (verdict.kind === 'wait') return null;
      if (verdict.kind === 'call') {
        leaveOut(verdict.length, verdict.close);
        return '';
      }
      if (verdict.togglesFence) isInFence = !isInFence;
    }
    const newline = held.indexOf('\n') + 1;
    const end = newline || held.length;
    if (isInFence) return show(end);
    const mark = markIn(held.slice(0, end), line);
    if (mark) {
      const before = show(mark.index);
      leaveOut(mark.length, mark.close);
      return before;
    }
    const sure = newline || isLast ? end : beginningOfMark(held);
    return sure === 0 ? null : show(sure);
  }

  function release(isLast: boolean): string {
    let out = '';
    while (held !== '') {
      if (closing && !endCall(isLast)) break;
      if (held === '') break;
      const shown = takeLine(isLast);
      if (shown === null) break;
      out += shown;
    }
    return out;
  }

  return {
    take(text) {
      held += text;
      return release(false);
    },
    rest: () => release(true),
    get endsInCall() {
      return endsInCall;
    },
  };
}

function fenceEnd(held: string, isLast: boolean): Verdict {
  if (!isLast && /^[ \t]*`{0,2}$/.test(held)) return wait;
  return { kind: 'plain', togglesFence: /^[ \t]*```/.test(held) };
}

const longestInfo = 80;

function lineStart(held: string, hasSaid: boolean, isLast: boolean): Verdict {
  if (!isLast && /^[ \t]*`{1,2}$/.test(held)) return wait;
  const fence = /^[ \t]*```([^\n]*)(\n?)/.exec(held);
  if (fence) return fenceStart(held, fence, hasSaid, isLast);
  if (/^[ \t]*[[{]/.test(held)) {
    const json = judgeJson(held, isLast);
    if (json.kind === 'call') return { ...json, close: here };
    return json.kind === 'wait' ? wait : plain;
  }
  if (/^Action:[ \t]*[^\n]{1,80}\n\s{0,20}Action Input:/.test(held))
    return { kind: 'call', length: held.length, close: never };
  return !isLast && isBeginningOfReAct(held) ? wait : plain;
}

function fenceStart(held: string, fence: RegExpExecArray, hasSaid: boolean, isLast: boolean): Verdict {
  const [{ length }, info = '', newline] = fence;
  if (!newline && !isLast && length < longestInfo) return wait;
  const close = /^[ \t]*```/m;
  if (/^\s*(?:tool|function)/i.test(info)) return { kind: 'call', length, close };
  if (!hasSaid && /^\s*(?:json)?\s*$/i.test(info)) {
    const json = judgeJson(held.slice(length), isLast);
    if (json.kind === 'wait') return wait;
    if (json.kind === 'call') return { kind: 'call', length: length + json.length, close };
  }
  return { kind: 'plain', togglesFence: true };
}

function isBeginningOfReAct(held: string): boolean {
  const [first = '', second] = held.split(/\n\s*/);
  if (second === undefined) return 'Action:'.startsWith(first) || /^Action:.{0,80}$/.test(first);
  return /^Action:.{1,80}$/.test(first) && 'Action Input:'.startsWith(second);
}

const tagNames =
  /^(?:tool_?calls?|tool_?use|tool_?code|tool_?request|function_?calls?|function(?==|\s+name=)|invoke(?=\s+name=))(?=[\s=>:])/i;
const wholeTag = /<(\/?)(?:antml:)?([^<>\n]{1,200})>/g;
const templateMark =
  /<[|｜][^<>|｜\n]{0,60}(?:tool|function|python_tag|plugin|action_start)[^<>|｜\n]{0,60}[|｜]>/i;
const bracketMarks: readonly [string, RegExp][] = [
  ['[TOOL_CALLS]', never],
  ['[TOOL_CALL]', /\[\/TOOL_CALL\]/i],
  ['[TOOL_REQUEST]', /\[END_TOOL_REQUEST\]/i],
  ['functools[', never],
  ['✿FUNCTION✿', never],
];

interface Mark {
  index: number;
  length: number;
  close: RegExp;
}

/** The first mark of a call in a piece of one line, behind what was shown of that line; code between backticks has none. */
function markIn(text: string, before: string): Mark | null {
  const marks = [tagIn(text), templateIn(text), ...bracketMarks.map((one) => bracketIn(text, one))];
  const found = marks
    .filter((mark) => mark !== null)
    .filter(({ index }) => !isInCode(before + text.slice(0, index)));
  return found.toSorted((one, other) => one.index - other.index)[0] ?? null;
}

function isInCode(line: string): boolean {
  return (line.match(/`/g) ?? []).length % 2 === 1;
}

function tagIn(text: string): Mark | null {
  for (const [tag, slash, content] of text.matchAll(wholeTag)) {
    const name = tagNames.exec(`${content}>`)?.[0];
    if (name === undefined) continue;
    const index = text.indexOf(tag);
    return { index, length: tag.length, close: slash ? here : new RegExp(`</(?:antml:)?${name}\\s*>`, 'i') };
  }
  return null;
}

function templateIn(text: string): Mark | null {
  const found = templateMark.exec(text);
  return found && { index: found.index, length: found[0].length, close: never };
}

function bracketIn(text: string, [mark, close]: readonly [string, RegExp]): Mark | null {
  const index = text.toUpperCase().indexOf(mark.toUpperCase());
  return index < 0 ? null : { index, length: mark.length, close };
}

/** Where a mark may begin that is not whole yet; the length where there is none. */
function beginningOfMark(text: string): number {
  const tag = text.lastIndexOf('<');
  if (tag >= 0 && /^<(?:\/?[a-z][^<>]{0,200}|\/|[|｜][^<>]{0,130})?$/i.test(text.slice(tag))) return tag;
  const upper = text.toUpperCase();
  for (let at = Math.max(0, text.length - 20); at < text.length; at += 1)
    if (bracketMarks.some(([mark]) => mark.toUpperCase().startsWith(upper.slice(at)))) return at;
  return text.length;
}
