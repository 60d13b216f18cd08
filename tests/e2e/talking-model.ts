import { type ModelStandIn, startModel } from '../start-model.ts';

/** Milliseconds between two sentences. */
const PAUSE = 2;

/** Sentences that are said of an answer that waits. */
export const BEFORE_WAITING = 20;

export interface TalkingModel extends ModelStandIn {
  /** Complete answers, by question. */
  says: Map<string, string>;
  /** From now on an answer to a question with 「等」 waits after `BEFORE_WAITING` sentences. */
  hold(): void;
  /** Lets waiting answers continue, and those to come. */
  goOn(): void;
}

/**
 * A model whose answer the question describes. Asked to 「说 12 句」 it says twelve numbered sentences, one after the other, and three
 * without a number; with 「断」 its connection breaks in the middle, the first time; with 「等」 it waits after twenty sentences while it
 * is held; with 「想」 it thinks first.
 */
export async function startTalkingModel(): Promise<TalkingModel> {
  const says = new Map<string, string>();
  const hasBroken = new Set<string>();
  const gates = new Set<() => void>();
  let isHeld = false;
  const model = await startModel({
    pause: PAUSE,
    pieces: (prompt) => {
      const question = asked(prompt);
      const given = says.get(question);
      if (given !== undefined) return given.match(/[\s\S]{1,400}/g) ?? [];
      return Array.from({ length: sentences(question) }, (_, index) => sentence(index + 1));
    },
    thoughts: (prompt) => (asked(prompt).includes('想') ? ['先想一想。', '再想一想。'] : []),
    gate: (prompt, index) => {
      if (!isHeld || index !== BEFORE_WAITING || !asked(prompt).includes('等')) return undefined;
      return new Promise((resolve) => gates.add(resolve));
    },
    cutAfter: (prompt) => {
      const question = asked(prompt);
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
    goOn() {
      isHeld = false;
      for (const open of gates) open();
      gates.clear();
    },
  });
}

/** Environment of a desk that answers by this model. */
export function modelEnv({ url }: Pick<ModelStandIn, 'url'>): Record<string, string> {
  return { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'stand-in' };
}

export function sentence(n: number): string {
  return `这是第 ${n} 句。`;
}

/** The whole of an answer of so many sentences. */
export function wholeAnswer(count: number): string {
  return Array.from({ length: count }, (_, index) => sentence(index + 1)).join('');
}

/** The question stands last in the prompt, after the passages. */
function asked(prompt: string): string {
  return prompt.split('\n').at(-1) ?? '';
}

function sentences(question: string): number {
  return Number(/说 (\d+) 句/.exec(question)?.[1] ?? 3);
}
