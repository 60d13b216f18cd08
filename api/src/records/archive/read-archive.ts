import Assembler from 'stream-json/assembler.js';
import { jsonParser, type Token } from 'stream-json/parser.js';
import { ApiError, invalidRequest } from '../../errors/errors.ts';
import { createYielder } from '../../store/yield-to-event-loop.ts';

/** One unvalidated element of a list. `field` is its path: `records.17`. */
interface ArchiveElement<List extends string> {
  list: List;
  field: string;
  value: unknown;
}

/** The format of an archive: header, lists to read, and maximum bytes per element. */
export interface ArchiveKind<List extends string> {
  format: string;
  lists: readonly List[];
  maxElementBytes: number;
}

export const recordArchive: ArchiveKind<'records' | 'conversations' | 'contacts'> = {
  format: 'consultation-desk-records',
  // Only archives of accounts contain contacts; others derive them from records.
  lists: ['records', 'conversations', 'contacts'],
  maxElementBytes: 4 * 1024 * 1024,
};
const deepestLevel = 32;
/** Bytes per parser call. */
const pieceSize = 4096;

/**
 * Parses an archive as a stream, holding at most one element in memory. Keys may come in any order; unknown
 * keys are skipped.
 * @throws invalidRequest('body') if it is not well-formed UTF-8 JSON or nested too deeply;
 * invalidRequest('format' or 'version') for other JSON; invalidRequest('records.17') for an element that is
 * not an object; tooLarge for a large element.
 */
export async function* readArchive<List extends string>(
  bytes: AsyncIterable<Uint8Array>,
  kind: ArchiveKind<List>,
): AsyncGenerator<ArchiveElement<List>> {
  const parse = jsonParser({ streamValues: false });
  const reader = createElementReader(kind);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let held = 0;
  for await (const chunk of inPieces(bytes)) {
    const tokens = tokensOf(() => parse(decoder.decode(chunk, { stream: true })));
    const before = reader.elementsBegun;
    for (const token of tokens) {
      const element = reader.take(token);
      if (element) yield element;
    }
    // An unfinished string is in memory as well, since it becomes a token only at its end.
    const isSame = tokens.length === 0 || (reader.isWithinElement && before === reader.elementsBegun);
    held = isSame ? held + chunk.length : chunk.length;
    if (held > kind.maxElementBytes) throw new ApiError('too_large');
  }
  tokensOf(() => parse(decoder.decode()));
  reader.end();
}

/** Parser calls of a millisecond or two, so that other requests can run in between. */
async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const yieldToEventLoop = createYielder();
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length; from += pieceSize) {
      yield chunk.subarray(from, from + pieceSize);
      await yieldToEventLoop();
    }
  }
}

/** Result of parsing one piece; empty if no token is complete. @throws invalidRequest('body') */
function tokensOf(parse: () => ReturnType<ReturnType<typeof jsonParser>>): readonly Token[] {
  try {
    const read = parse();
    return typeof read === 'symbol' ? [] : read.values;
  } catch {
    throw invalidRequest('body', 'invalid_json');
  }
}

function createElementReader<List extends string>({ format, lists }: ArchiveKind<List>) {
  const counts = new Map<string, number>();
  const fieldOf = (of: string) => `${of}.${counts.get(of) ?? 0}`;
  const listOf = (name: string) => lists.find((one) => one === name) ?? null;
  let depth = 0;
  let key = '';
  let list: List | null = null;
  let assembler: Assembler | null = null;
  let elementsBegun = 0;
  let isBegun = false;
  let hasFormat = false;
  let hasVersion = false;

  function takeScalar(token: Token): void {
    if (depth === 0) throw invalidRequest('body', 'invalid_json');
    if (depth === 1) {
      if (listOf(key)) throw invalidRequest(key);
      const value = 'value' in token ? token.value : null;
      if (key === 'format' && value !== format) throw invalidRequest(key);
      if (key === 'version' && value !== '1') throw invalidRequest(key);
      hasFormat ||= key === 'format';
      hasVersion ||= key === 'version';
    }
    if (depth === 2 && list) throw invalidRequest(fieldOf(list));
  }

  function takeStart(isArray: boolean): void {
    isBegun = true;
    if (depth === 0 && isArray) throw invalidRequest('body', 'invalid_json');
    if (depth === 1) {
      list = listOf(key);
      if (list && !isArray) throw invalidRequest(list);
      if (key === 'format' || key === 'version') throw invalidRequest(key);
    }
    if (depth === 2 && list) {
      if (isArray) throw invalidRequest(fieldOf(list));
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
    take(token: Token): ArchiveElement<List> | null {
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
      const field = fieldOf(list);
      counts.set(list, (counts.get(list) ?? 0) + 1);
      return { list, field, value };
    },
    end(): void {
      if (!isBegun || depth > 0) throw invalidRequest('body', 'invalid_json');
      if (!hasFormat) throw invalidRequest('format');
      if (!hasVersion) throw invalidRequest('version');
    },
  };
}
