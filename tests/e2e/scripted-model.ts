import { type ModelStandIn, startModel } from '../start-model.ts';

/** Milliseconds between two sentences. */
const PAUSE = 2;

/** Number of sentences before a held answer pauses. */
export const SENTENCES_BEFORE_PAUSE = 20;

export interface ScriptedModel extends ModelStandIn {
  /** Complete answers, by question. */
  says: Map<string, string>;
  /** Makes answers to questions with 「等」 pause after `SENTENCES_BEFORE_PAUSE` sentences. */
  hold(): void;
  /** Continues paused answers and ends pausing. */
  continueAnswers(): void;
}

/**
 * A model whose answer depends on the question. 「说 12 句」 returns twelve numbered sentences, three without a number; 「断」 breaks the
 * connection halfway, the first time; 「等」 pauses after twenty sentences while `hold` is active; 「想」 sends reasoning first.
 */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const says = new Map<string, string>();
  const hasBroken = new Set<string>();
  const gates = new Set<() => void>();
  let isHeld = false;
  const model = await startModel({
    pause: PAUSE,
    pieces: (prompt) => {
      const question = questionIn(prompt);
      const given = says.get(question);
      if (given !== undefined) return given.match(/[\s\S]{1,400}/g) ?? [];
      return Array.from({ length: sentences(question) }, (_, index) => sentence(index + 1));
    },
    thoughts: (prompt) => (questionIn(prompt).includes('想') ? ['先想一想。', '再想一想。'] : []),
    gate: (prompt, index) => {
      if (!isHeld || index !== SENTENCES_BEFORE_PAUSE || !questionIn(prompt).includes('等')) return undefined;
      return new Promise((resolve) => gates.add(resolve));
    },
    cutAfter: (prompt) => {
      const question = questionIn(prompt);
      if (!question.includes('断') || hasBroken.has(question)) return undefined;
      hasBroken.add(question);
      return Math.floor(sentences(question) / 2);
    },
  });
  return Object.assign(model, {
    says,
    hold() {
      isHeld = true;
    },
    continueAnswers() {
      isHeld = false;
      for (const open of gates) open();
      gates.clear();
    },
  });
}

/** Environment of a desk that uses this model. */
export function modelEnv({ url }: Pick<ModelStandIn, 'url'>): Record<string, string> {
  return { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'stand-in' };
}

/** Its number is in letters: digits that no passage contains would be marked. */
export function sentence(n: number): string {
  return `这是第 ${String(n).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)} 句。`;
}

/** A complete answer with `count` sentences. */
export function wholeAnswer(count: number): string {
  return Array.from({ length: count }, (_, index) => sentence(index + 1)).join('');
}

/** The question is the last line of the prompt, after the passages. */
function questionIn(prompt: string): string {
  return prompt.split('\n').at(-1) ?? '';
}

function sentences(question: string): number {
  return Number(/说 (\d+) 句/.exec(question)?.[1] ?? 3);
}
