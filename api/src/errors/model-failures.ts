/**
 * One kind of model failure. Visitors read `before_<kind>` of `locales/<language>/models.json`, which continues with "the
 * knowledge base answers instead", or `model_<kind>` of `errors.json` if a part of the answer is already shown.
 */
interface ModelFailureEntry {
  /** For the log and GET /ops/models: what happened, and what to check. */
  operators: string;
  /** Temporary: the same request may succeed a moment later. */
  isPassing?: true;
  /** Caused by this question: says nothing about the state of the model. */
  isQuestions?: true;
  /** Permanent until somebody changes the configuration or the account. */
  isConfiguration?: true;
}

/** All kinds of model failures, as operators read them. No message contains data from an endpoint. */
const table = {
  invalid_key: {
    operators:
      'The endpoint refused the API key (401 or 403). Check OPENAI_API_KEY, or apiKey and apiKeyEnv of this model in MODELS, and whether the key may use the model.',
    isConfiguration: true,
  },
  missing_key: {
    operators:
      'The endpoint asks for an API key (401 or 403), and none is configured. Set OPENAI_API_KEY, or apiKey or apiKeyEnv of this model in MODELS.',
    isConfiguration: true,
  },
  unknown_model: {
    operators:
      'The endpoint does not know the model (404). Check OPENAI_MODEL, or model of this entry in MODELS; check the base URL as well, which usually ends in /v1.',
    isConfiguration: true,
  },
  wrong_address: {
    operators:
      'The base URL does not lead to a chat completions endpoint: it answered with a redirect, which is not followed, or with neither events nor JSON. Check OPENAI_BASE_URL, or baseUrl of this model in MODELS.',
    isConfiguration: true,
  },
  no_credit: {
    operators: 'The account at the endpoint has no credit left, or its quota is used up (402 or 429).',
    isConfiguration: true,
  },
  rate_limited: {
    operators:
      'The endpoint refused the request because there are too many (429). Retry-After is honoured: no question is sent before it is over.',
    isPassing: true,
  },
  too_long: {
    operators:
      'The request is longer than the model takes (400 or 413). Set OPENAI_CONTEXT_TOKENS, or contextTokens of this model in MODELS, to the context length that the endpoint serves.',
    isQuestions: true,
  },
  rejected: {
    operators: 'The endpoint rejected the request as invalid (4xx).',
    isQuestions: true,
  },
  server_error: {
    operators: 'The endpoint failed (5xx, or an error in place of an answer).',
    isPassing: true,
  },
  unreachable: {
    operators:
      'The endpoint cannot be reached, or the connection broke. Check that it runs and that this machine may connect to it.',
    isPassing: true,
  },
  timeout: {
    operators:
      'No text arrived within MODEL_TIMEOUT, or no more text for 30 s. A slow machine needs a longer MODEL_TIMEOUT or a smaller model.',
  },
  incomplete: {
    operators: 'The stream ended without finish_reason or [DONE].',
    isPassing: true,
  },
  malformed: {
    operators:
      'The endpoint sent something that is not a chat completion: a malformed chunk, an event of more than a million units, or more than 4 MB in one piece.',
  },
  content_filter: {
    operators: 'The provider’s content filter stopped the answer (content_filter).',
    isQuestions: true,
  },
  tool_call: {
    operators:
      'The model called a tool instead of answering; this desk offers none. Use a model, or a chat template, that answers without tools.',
    isQuestions: true,
  },
  empty: {
    operators: 'The model ended its response without any answer text.',
    isQuestions: true,
  },
  length: {
    operators:
      'The model reached its limit of output tokens (finish_reason length). Where that happens often, raise the limit at the endpoint, or lower OPENAI_CONTEXT_TOKENS to the context length that it serves.',
    isQuestions: true,
  },
  endless_reasoning: {
    operators: 'The model thought for more than 400,000 characters without answering.',
  },
  answer_too_long: {
    operators: 'The answer got longer than 400,000 characters and was cut there by the desk.',
  },
} as const satisfies Record<string, ModelFailureEntry>;

export type ModelFailureKind = keyof typeof table;

export const modelFailures: Readonly<Record<ModelFailureKind, ModelFailureEntry>> = table;
