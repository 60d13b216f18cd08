import Assembler from 'stream-json/assembler.js';
import { jsonParser, type Token } from 'stream-json/parser.js';
import { invalidRequest, tooLarge } from '../errors.ts';
import { createBreather } from '../services/breathe.ts';

/** One element of an archive's list, unchecked. `field` says where it stands: `records.17`. */
export interface ArchiveElement {
  list: 'records' | 'conversations';
  field: string;
  value: unknown;
}

/** Bytes of one element, and levels of nesting. */
const largestElement = 4 * 1024 * 1024;
const deepestLevel = 32;
/** Bytes that are read in one go. */
const pieceSize = 4096;

/**
 * Reads an archive piece by piece: at no time more than one element is held. Its keys may come in any order; others than those of a
 * RecordArchive are passed over.
 *
 * @throws invalidRequest('body') for what is not well-formed UTF-8 or JSON, or nests too deeply; invalidRequest('format' or 'version') for
 * another kind of JSON; invalidRequest('records.17') for what is no object; tooLarge for an element above 4 MB.
 */
export async function* readArchive(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveElement> {
  const parse = jsonParser({ streamValues: false });
  const reader = createElementReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let held = 0;
  for await (const chunk of inPieces(bytes)) {
    const tokens = tokensOf(() => parse(decoder.decode(chunk, { stream: true })));
    const before = reader.elementsBegun;
    for (const token of tokens) {
      const element = reader.take(token);
      if (element) yield element;
    }
    // A text that does not end is held as well: it comes as one token, at its end.
    const isSame = tokens.length === 0 || (reader.isWithinElement && before === reader.elementsBegun);
    held = isSame ? held + chunk.length : chunk.length;
    if (held > largestElement) throw tooLarge();
  }
  tokensOf(() => parse(decoder.decode()));
  reader.end();
}

/** A piece takes the parser a millisecond or two, a whole chunk many more at once: other calls come in between. */
async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const breathe = createBreather();
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length; from += pieceSize) {
      yield chunk.subarray(from, from + pieceSize);
      await breathe();
    }
  }
}

/** A parser's answer to one piece of text: a symbol when it had nothing to say yet. @throws invalidRequest('body') */
function tokensOf(parse: () => ReturnType<ReturnType<typeof jsonParser>>): readonly Token[] {
  try {
    const read = parse();
    return typeof read === 'symbol' ? [] : read.values;
  } catch {
    throw invalidRequest('body', 'invalid_json');
  }
}

function createElementReader() {
  const counts = { records: 0, conversations: 0 };
  let depth = 0;
  let key = '';
  let list: ArchiveElement['list'] | null = null;
  let assembler: Assembler | null = null;
  let elementsBegun = 0;
  let isBegun = false;
  let hasFormat = false;
  let hasVersion = false;

  function takeScalar(token: Token): void {
    if (depth === 0) throw invalidRequest('body', 'invalid_json');
    if (depth === 1) {
      if (key === 'records' || key === 'conversations') throw invalidRequest(key);
      const value = 'value' in token ? token.value : null;
      if (key === 'format' && value !== 'consultation-desk-records') throw invalidRequest(key);
      if (key === 'version' && value !== '1') throw invalidRequest(key);
      hasFormat ||= key === 'format';
      hasVersion ||= key === 'version';
    }
    if (depth === 2 && list) throw invalidRequest(`${list}.${counts[list]}`);
  }

  function takeStart(isArray: boolean): void {
    isBegun = true;
    if (depth === 0 && isArray) throw invalidRequest('body', 'invalid_json');
    if (depth === 1) {
      list = key === 'records' || key === 'conversations' ? key : null;
      if (list && !isArray) throw invalidRequest(list);
      if (key === 'format' || key === 'version') throw invalidRequest(key);
    }
    if (depth === 2 && list) {
      if (isArray) throw invalidRequest(`${list}.${counts[list]}`);
      assembler = new Assembler();
      elementsBegun += 1;
    }
    depth += 1;
    if (depth > deepestLevel) throw invalidRequest('body', 'invalid_json');
  }

  return {
    get elementsBegun() {
      return elementsBegun;
    },
    get isWithinElement() {
      return assembler !== null;
    },
    take(token: Token): ArchiveElement | null {
      const { name } = token;
      if (name === 'startObject' || name === 'startArray') takeStart(name === 'startArray');
      else if (name === 'endObject' || name === 'endArray') depth -= 1;
      else if (name !== 'keyValue') takeScalar(token);
      else if (depth === 1) key = token.value;
      if (!assembler) return null;
      assembler.consume(token);
      if (depth > 2 || !list) return null;
      const value: unknown = assembler.current;
      assembler = null;
      const field = `${list}.${counts[list]}`;
      counts[list] += 1;
      return { list, field, value };
    },
    end(): void {
      if (!isBegun || depth > 0) throw invalidRequest('body', 'invalid_json');
      if (!hasFormat) throw invalidRequest('format');
      if (!hasVersion) throw invalidRequest('version');
    },
  };
}
