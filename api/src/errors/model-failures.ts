/** One kind of model failure, with its messages. */
interface ModelFailureEntry {
  /** For the log and GET /ops/models: what happened, and what to check. */
  operators: string;
  /**
   * For visitors, [zh, en]: the first part of a sentence that continues with "the knowledge base answers
   * instead"; `{model}` is the model's name.
   */
  before: readonly [zh: string, en: string];
  /** For visitors, [zh, en], if a part of the answer is already shown. */
  midway: readonly [zh: string, en: string];
  /** Temporary: the same request may succeed a moment later. */
  isPassing?: true;
  /** Caused by this question: says nothing about the state of the model. */
  isQuestions?: true;
  /** Permanent until somebody changes the configuration or the account. */
  isConfiguration?: true;
}

const needsAdministrator: ModelFailureEntry['before'] = [
  '模型“{model}”目前无法使用，需要管理员检查设置',
  'The model “{model}” can’t be used until an administrator has checked its settings',
];
const unusableMidway: ModelFailureEntry['midway'] = [
  '回答中断：模型目前无法使用，需要管理员检查设置',
  'Answer interrupted: the model can’t be used until an administrator has checked its settings',
];

/**
 * All kinds of model failures: precise messages for operators, and what it means for visitors. No message
 * contains data from an endpoint.
 */
const table = {
  invalid_key: {
    operators:
      'The endpoint refused the API key (401 or 403). Check OPENAI_API_KEY, or apiKey and apiKeyEnv of this model in MODELS, and whether the key may use the model.',
    before: needsAdministrator,
    midway: unusableMidway,
    isConfiguration: true,
  },
  missing_key: {
    operators:
      'The endpoint asks for an API key (401 or 403), and none is configured. Set OPENAI_API_KEY, or apiKey or apiKeyEnv of this model in MODELS.',
    before: needsAdministrator,
    midway: unusableMidway,
    isConfiguration: true,
  },
  unknown_model: {
    operators:
      'The endpoint does not know the model (404). Check OPENAI_MODEL, or model of this entry in MODELS; check the base URL as well, which usually ends in /v1.',
    before: needsAdministrator,
    midway: unusableMidway,
    isConfiguration: true,
  },
  wrong_address: {
    operators:
      'The base URL does not lead to a chat completions endpoint: it answered with a redirect, which is not followed, or with neither events nor JSON. Check OPENAI_BASE_URL, or baseUrl of this model in MODELS.',
    before: needsAdministrator,
    midway: unusableMidway,
    isConfiguration: true,
  },
  no_credit: {
    operators: 'The account at the endpoint has no credit left, or its quota is used up (402 or 429).',
    before: needsAdministrator,
    midway: unusableMidway,
    isConfiguration: true,
  },
  rate_limited: {
    operators:
      'The endpoint refused the request because there are too many (429). Retry-After is honoured: no question is sent before it is over.',
    before: [
      '模型“{model}”收到的请求过多，暂时不能回答',
      'The model “{model}” has too many requests to answer right now',
    ],
    midway: [
      '回答中断：模型收到的请求过多',
      'Answer interrupted: the model has too many requests to answer right now',
    ],
    isPassing: true,
  },
  too_long: {
    operators:
      'The request is longer than the model takes (400 or 413). Set OPENAI_CONTEXT_TOKENS, or contextTokens of this model in MODELS, to the context length that the endpoint serves.',
    before: [
      '这个问题连同资料和前文，超出了模型“{model}”一次能读的长度',
      'This question with its passages and history is longer than the model “{model}” can read at once',
    ],
    midway: [
      '回答中断：内容超出了模型一次能读的长度',
      'Answer interrupted: this is longer than the model can read at once',
    ],
    isQuestions: true,
  },
  rejected: {
    operators: 'The endpoint rejected the request as invalid (4xx).',
    before: ['模型“{model}”没有接受这个问题', 'The model “{model}” did not accept this question'],
    midway: ['回答中断：模型没有接受这个问题', 'Answer interrupted: the model did not accept this question'],
    isQuestions: true,
  },
  server_error: {
    operators: 'The endpoint failed (5xx, or an error in place of an answer).',
    before: [
      '模型“{model}”的服务出错，暂时不能回答',
      'The service of the model “{model}” has failed and can’t answer right now',
    ],
    midway: ['回答中断：模型的服务出错', 'Answer interrupted: the service of the model has failed'],
    isPassing: true,
  },
  unreachable: {
    operators:
      'The endpoint cannot be reached, or the connection broke. Check that it runs and that this machine may connect to it.',
    before: ['暂时连不上模型“{model}”', 'The model “{model}” can’t be reached right now'],
    midway: ['回答中断：与模型的连接断开', 'Answer interrupted: the connection to the model was lost'],
    isPassing: true,
  },
  timeout: {
    operators:
      'No word came within MODEL_TIMEOUT, or none followed for 30 s. A slow machine needs a longer MODEL_TIMEOUT or a smaller model.',
    before: ['模型“{model}”暂时没有回应', 'The model “{model}” is not responding right now'],
    midway: ['回答中断：模型没有响应', 'Answer interrupted: the model stopped responding'],
  },
  incomplete: {
    operators: 'The stream ended without finish_reason or [DONE].',
    before: ['模型“{model}”的回答没有传完', 'The answer of the model “{model}” did not arrive completely'],
    midway: [
      '回答中断：模型的回答没有传完',
      'Answer interrupted: the model’s answer did not arrive completely',
    ],
    isPassing: true,
  },
  malformed: {
    operators:
      'The endpoint sent something that is not a chat completion: a malformed chunk, an event of more than a million units, or more than 4 MB in one piece.',
    before: ['模型“{model}”的回答无法读取', 'The answer of the model “{model}” could not be read'],
    midway: ['回答中断：模型的回答无法读取', 'Answer interrupted: the model’s answer could not be read'],
  },
  content_filter: {
    operators: 'The provider’s content filter stopped the answer (content_filter).',
    before: [
      '模型“{model}”的内容过滤拦截了这次回答',
      'The content filter of the model “{model}” blocked this answer',
    ],
    midway: [
      '回答中断：被模型的内容过滤拦截',
      'Answer interrupted: the model’s content filter blocked the rest',
    ],
    isQuestions: true,
  },
  tool_call: {
    operators:
      'The model called a tool instead of answering; this desk offers none. Use a model, or a chat template, that answers without tools.',
    before: ['模型“{model}”没有给出可用的回答', 'The model “{model}” gave no usable answer'],
    midway: ['回答中断：模型没有写完回答', 'Answer interrupted: the model did not finish its answer'],
    isQuestions: true,
  },
  empty: {
    operators: 'The model ended without a word of an answer.',
    before: ['模型“{model}”没有给出回答', 'The model “{model}” gave no answer'],
    midway: ['回答中断：模型没有写完回答', 'Answer interrupted: the model did not finish its answer'],
    isQuestions: true,
  },
  length: {
    operators:
      'The model reached its limit of output tokens (finish_reason length). Where that happens often, raise the limit at the endpoint, or lower OPENAI_CONTEXT_TOKENS to the context length that it serves.',
    before: [
      '模型“{model}”在写出回答之前就达到了长度上限',
      'The model “{model}” reached its length limit before it began its answer',
    ],
    midway: ['回答中断：达到了模型的长度上限', 'Answer interrupted: it reached the model’s length limit'],
    isQuestions: true,
  },
  endless_reasoning: {
    operators: 'The model thought for more than 400,000 characters without answering.',
    before: ['模型“{model}”思考过长，没有给出回答', 'The model “{model}” kept thinking and gave no answer'],
    midway: ['回答中断：模型思考过长', 'Answer interrupted: the model kept thinking'],
  },
  answer_too_long: {
    operators: 'The answer got longer than 400,000 characters and was cut there by the desk.',
    before: ['模型“{model}”的回答过长', 'The answer of the model “{model}” is too long'],
    midway: [
      '回答过长，超过 400,000 字的部分没有保留',
      'The answer is too long: only its first 400,000 characters are kept',
    ],
  },
} as const satisfies Record<string, ModelFailureEntry>;

export type ModelFailureKind = keyof typeof table;

export const modelFailures: Readonly<Record<ModelFailureKind, ModelFailureEntry>> = table;

type MidwayKey = `model_${ModelFailureKind}`;

/** The messages for interrupted answers, by error key. */
export const midwayMessages = Object.fromEntries(
  Object.entries(modelFailures).map(([kind, { midway }]) => [`model_${kind}`, midway]),
) as Record<MidwayKey, readonly [zh: string, en: string]>;
