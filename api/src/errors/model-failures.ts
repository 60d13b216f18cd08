import table from './model-failures.json' with { type: 'json' };

/**
 * One kind of model failure. Visitors read `before_<kind>` of `locales/<language>/models.json`, which continues with "the
 * knowledge base answers instead", or `model_<kind>` of `errors.json` if a part of the answer is already shown.
 */
interface ModelFailureEntry {
  /** For the log and GET /ops/models: what happened, and what to check. */
  operators: string;
  /** Temporary: the same request may succeed a moment later. */
  isPassing?: boolean;
  /** Caused by this question: says nothing about the state of the model. */
  isQuestions?: boolean;
  /** Permanent until somebody changes the configuration or the account. */
  isConfiguration?: boolean;
}

/** All kinds of model failures, as operators read them. No message contains data from an endpoint. */
export const modelFailures: Readonly<Record<ModelFailureKind, ModelFailureEntry>> = table;

export type ModelFailureKind = keyof typeof table;
