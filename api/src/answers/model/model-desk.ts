import type { Logger } from 'pino';
import type { ConfiguredModel } from '../../config/configured-models.ts';
import type { ModelList, ModelStatus, ModelUsage } from '../../contract/models.ts';
import { invalidRequest } from '../../errors/errors.ts';
import type { Pieces, Question } from '../answerer.ts';
import { createBreaker } from '../endpoints/breaker.ts';
import { createModelHealth } from '../endpoints/model-health.ts';
import { defaultPatience, type ModelPatience } from '../endpoints/patience.ts';
import { type AskedModel, answerByModel } from './answer-by-model.ts';
import { createEndpoint } from './endpoint.ts';
import type { ModelQuestion } from './model-question.ts';
import type { UsageCount } from './usage-count.ts';

export type ModelDesk = ReturnType<typeof createModelDesk>;

/** The name for extraction without a model. */
const none = 'none';

/** The configured models. */
export function createModelDesk(deps: {
  /** The first is the default. */
  models: readonly ConfiguredModel[];
  usage: UsageCount;
  log: Logger;
  patience?: Partial<ModelPatience>;
  /** Names of the models that visitors may use; null for all, the default. Read for every question. */
  offered?(): readonly string[] | null;
}) {
  const patience = { ...defaultPatience, ...deps.patience };
  const byModel = { usage: deps.usage, log: deps.log, patience };
  const models = new Map<string, AskedModel>(
    deps.models.map((configured) => [
      configured.name,
      {
        configured,
        endpoint: createEndpoint(configured),
        breaker: createBreaker(patience),
        health: createModelHealth(),
        contextTokens: configured.contextTokens,
        thinksUnopened: false,
      },
    ]),
  );

  /** The models on offer by name, the default first. */
  function offered(): ReadonlyMap<string, AskedModel> {
    const names = deps.offered?.() ?? null;
    return names === null ? models : new Map([...models].filter(([name]) => names.includes(name)));
  }

  /** The chosen model, or the default if it is no longer on offer. */
  function choose({ model = '' }: Pick<Question, 'model'>): AskedModel | undefined {
    const from = offered();
    return model === none ? undefined : (from.get(model) ?? from.values().next().value);
  }

  return {
    list: (): ModelList => ({
      models: [...offered().values()].map(({ configured: { name, vision }, breaker: { isAvailable } }) => ({
        name,
        vision,
        isAvailable,
      })),
      default: offered().keys().next().value ?? none,
    }),
    /**
     * @throws invalidRequest('model') for a name that is not on offer. '' is the default, 'none' extraction.
     */
    check(name = ''): void {
      if (name !== '' && name !== none && !offered().has(name)) throw invalidRequest('model');
    },
    usage: (owner: string): Promise<ModelUsage> => deps.usage.today(owner),
    /** Statistics of each model in this process, for operators. */
    status: (): ModelStatus[] =>
      [...models.values()].map(({ configured, breaker, health, contextTokens }) => ({
        name: configured.name,
        model: configured.model,
        baseUrl: configured.baseUrl,
        hasKey: configured.apiKey !== '',
        contextTokens,
        isAvailable: breaker.isAvailable,
        ...health.report(),
      })),
    /** Whether a model answers: false if none is configured or chosen. */
    takes: (question: Question): boolean => choose(question) !== undefined,
    /**
     * Answers with the chosen model. Returns true if the answer is complete. Returns false if the model
     * failed before its first token: it has yielded the reason, and the caller continues with an extracted
     * answer.
     *
     * @throws modelFailed if the model fails within its answer; the pieces before remain valid.
     */
    async *answer(question: ModelQuestion, signal: AbortSignal): Pieces<boolean> {
      const model = choose(question.question);
      return model ? yield* answerByModel(model, question, byModel, signal) : false;
    },
  };
}
