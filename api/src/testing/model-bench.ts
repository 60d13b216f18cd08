import { expect } from '@jest/globals';
import { pino } from 'pino';
import { createUsageCount } from '../accounts/model-usage.ts';
import type { AnswerPiece, Question } from '../answers/answerer.ts';
import type { ModelPatience } from '../answers/endpoints/patience.ts';
import type { KnowledgePassage } from '../answers/index/passage.ts';
import { createModelDesk, type ModelDesk } from '../answers/model/model-desk.ts';
import type { ConfiguredModel } from '../config/configured-models.ts';
import type { Language } from '../contract/language.ts';
import type { ModelFailureKind } from '../errors/model-failures.ts';
import { textsOf } from '../i18n/texts-of.ts';
import { type ModelReply, type ModelStandIn, startModelStandIn } from './model-stand-in.ts';
import { openTestModels } from './open-test-models.ts';

/** Must only appear in the request's header. */
export const key = 'sk-very-secret';

const quickRetries: Partial<ModelPatience> = { waitMs: 1, maxWaitMs: 50 };
/** Time limits for tests that wait for them; others would fail on a busy machine. */
export const shortLimits: Partial<ModelPatience> = { firstTokenMs: 1200, idleMs: 800 };

type Given = Partial<Question> & { passages?: KnowledgePassage[]; signal?: AbortSignal };

/** Models configured with a stand-in, and usage in a real store. */
export interface ModelBench {
  /** The most recently started stand-in. */
  readonly model: ModelStandIn;
  readonly logged: string;
  /** A server with one model, which sends `replies` in order and repeats the last one. */
  open(
    replies: ModelReply[],
    options?: Partial<ConfiguredModel> & { limit?: number; patience?: Partial<ModelPatience> },
  ): Promise<ModelDesk>;
  /** Asks one question on a new server. */
  ask(replies: ModelReply[], given?: Given): Promise<Asked>;
  /** Asserts that the knowledge base answers with the given reason, and the key appears nowhere. */
  expectFallback(asked: Asked, kind?: ModelFailureKind): void;
  /** To be called after each test. */
  reset(): Promise<void>;
  end(): Promise<void>;
}

export async function openModelBench(): Promise<ModelBench> {
  const store = await openTestModels();
  const started: ModelStandIn[] = [];
  let logged = '';
  const write = (line: string) => {
    logged += line;
  };
  const log = pino({ level: 'trace' }, { write });
  const bench: ModelBench = {
    get model() {
      return started.at(-1)!;
    },
    get logged() {
      return logged;
    },
    async open(replies, { limit = 0, patience = {}, ...configured } = {}) {
      const model = await startModelStandIn(...replies);
      started.push(model);
      const { baseUrl } = model;
      const usual = {
        name: 'stand-in',
        model: 'm',
        baseUrl,
        apiKey: key,
        vision: false,
        contextTokens: 8000,
      };
      return createModelDesk({
        models: [{ ...usual, ...configured }],
        usage: createUsageCount(store.models.usage, limit, log),
        log,
        patience: { ...quickRetries, ...patience },
      });
    },
    ask: async (replies, given) => put(await bench.open(replies), given),
    expectFallback({ text, final, isAll, failure }, kind) {
      expect(failure).toBeNull();
      const reason = kind
        ? textsOf('models')(`before_${kind}`, { model: 'stand-in' })('zh')
        : '.*“stand-in”.*';
      expect(text).toMatch(new RegExp(`^${reason}，改由知识库回答。\n\n$`));
      expect(final).toBeNull();
      expect(isAll).toBe(false);
      expect(logged).not.toContain(key);
    },
    async reset() {
      for (const model of started.splice(0)) await model.end();
      await store.models.usage.deleteMany({});
      logged = '';
    },
    end: () => store.end(),
  };
  return bench;
}

/** The result of a question. */
interface Asked {
  text: string;
  thought: string;
  pieces: string[];
  final: Extract<AnswerPiece, { kind: 'final' }> | null;
  /** Return value of `answer`: whether the answer is complete. */
  isAll: boolean;
  failure: unknown;
}

/** Asks a question and collects the result. */
export async function put(desk: ModelDesk, given: Given = {}): Promise<Asked> {
  const { passages: found = passages, signal = new AbortController().signal, ...rest } = given;
  const language: Language = rest.language ?? 'zh';
  const question: Question = { text: '怎样删除会话？', owner: 'guest:1', language, history: [], ...rest };
  const asked: Asked = { text: '', thought: '', pieces: [], final: null, isAll: false, failure: null };
  const pieces = desk.answer(
    { question, passages: found, suggestions: offered, suggestionsIfRefused: offered },
    signal,
  );
  try {
    for (;;) {
      const { value, done } = await pieces.next();
      if (done) {
        asked.isAll = value;
        break;
      }
      if (value.kind === 'final') asked.final = value;
      else if (value.kind === 'reasoning') asked.thought += value.text;
      else if (value.kind === 'text') asked.pieces.push(value.text);
    }
  } catch (failure) {
    asked.failure = failure;
  }
  asked.text = asked.pieces.join('');
  return asked;
}

export function passage(number: number, text: string, title = '会话'): KnowledgePassage {
  return {
    _id: `p${number}`,
    documentId: 'd1',
    title,
    place: '删除',
    ways: [],
    heading: '怎样删除？',
    language: 'zh',
    text,
    start: number * 1000,
    end: number * 1000 + text.length,
    owner: '',
    tableHead: '',
    edition: '',
  };
}

const offered = ['还能问什么？'];

/** The passages found, unless a test overrides them. */
export const passages = [
  passage(1, '打开会话的菜单，选择「删除」。七天之内可以撤销。'),
  passage(2, '联系人的记录也可以一次删除。'),
];
