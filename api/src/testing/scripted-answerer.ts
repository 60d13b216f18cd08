import type { Answerer, AnswerPiece, Question } from '../answers/answerer.ts';
import type { Citation } from '../contract/answers.ts';

type Script = (question: Question, signal: AbortSignal) => AsyncIterable<AnswerPiece>;

/** An answerer that follows a script. `asked` contains the questions it received. */
interface ScriptedAnswerer extends Answerer {
  asked: Question[];
  script: Script;
}

export function createScriptedAnswerer(script: Script = echo): ScriptedAnswerer {
  const answerer: ScriptedAnswerer = {
    asked: [],
    script,
    answer(question, signal) {
      answerer.asked.push(question);
      return answerer.script(question, signal);
    },
  };
  return answerer;
}

/** The final piece of every script: from a document, with one citation. */
export const final: AnswerPiece = {
  kind: 'final',
  source: 'document',
  citations: [
    { title: 'Handbook', quote: 'Say it.', start: 3, end: 10, href: '/api/passages/p1', isPrivate: false },
  ],
  suggestions: [],
};

/** Repeats the question, one word per piece. */
export async function* echo(question: Question): AsyncIterable<AnswerPiece> {
  for (const text of question.text.split(/(?<= )/)) yield { kind: 'text', text };
  yield final;
}

/** An answer whose pieces are sent by the test and end with `close`. */
export function createPipe(): {
  script: Script;
  say(text: string, cites?: Citation[]): void;
  close(): void;
  fail(cause: Error): void;
  /** Whether the reader aborted. */
  readonly isAborted: boolean;
} {
  const pieces: (AnswerPiece | Error)[] = [];
  let wake: () => void = () => undefined;
  let isAborted = false;
  const push = (piece: AnswerPiece | Error) => {
    pieces.push(piece);
    wake();
  };
  return {
    async *script(_question, signal) {
      signal.addEventListener('abort', () => {
        isAborted = true;
        wake();
      });
      while (!signal.aborted) {
        const piece = pieces.shift();
        if (piece instanceof Error) throw piece;
        if (piece) yield piece;
        if (piece?.kind === 'final') return;
        if (!piece)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
    say: (text, cites) => push({ kind: 'text', text, ...(cites ? { cites } : {}) }),
    close: () => push(final),
    fail: (cause) => push(cause),
    get isAborted() {
      return isAborted;
    },
  };
}
