import { EndpointFailure } from './endpoint-failure.ts';

/** Units of one event: a token is some hundred bytes of it, a whole answer in one piece still fits. */
const longestEvent = 1_000_000;

/**
 * The `data` of each server-sent event of a body, as the HTML standard parses them (9.2.6): lines may end in CR, LF or both, and come in
 * pieces; comments and other fields are left out. An event that its empty line has not closed is given when the body ends.
 *
 * @throws EndpointFailure for an event that is longer than a million units.
 */
export async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  /** Pieces of the line that has not ended yet: joined once it has. */
  let pieces: string[] = [];
  let length = 0;
  let data: string[] = [];
  let endedByCr = false;

  function* takeLine(line: string): Generator<string> {
    if (line === '') {
      const whole = data.join('\n');
      if (whole !== '') yield whole;
      data = [];
      length = 0;
    } else if (line.startsWith('data:')) data.push(line.slice(line.charCodeAt(5) === 32 ? 6 : 5));
    // Comments between events may go on for ever.
    else if (data.length === 0) length = 0;
  }

  for await (const bytes of body) {
    let text = decoder.decode(bytes, { stream: true });
    // The LF of a CRLF that was cut in two ends no line of its own.
    if (endedByCr && text.startsWith('\n')) text = text.slice(1);
    if (text === '') continue;
    endedByCr = text.endsWith('\r');
    const lines = text.split(/\r\n|\r|\n/);
    length += text.length;
    for (const [index, part] of lines.entries()) {
      pieces.push(part);
      if (index === lines.length - 1) break;
      const line = pieces.join('');
      pieces = [];
      yield* takeLine(line);
    }
    if (length > longestEvent && (pieces.length > 1 || data.length > 0 || text.length > longestEvent))
      throw new EndpointFailure('malformed', {
        detail: 'the endpoint sent an event of more than a million units',
      });
  }
  yield* takeLine(pieces.join('') + decoder.decode());
  yield* takeLine('');
}
