/** GET /api/models: the available models. `models` is empty if only the knowledge base answers. */
export interface ModelList {
  models: ModelInfo[];
  /** Name of the default model; 'none' if there is no model. */
  default: string;
}

export interface ModelInfo {
  name: string;
  /** Whether it accepts images. */
  vision: boolean;
  /** False while it is suspended after repeated failures: the knowledge base answers instead. */
  isAvailable: boolean;
}

/** GET /ops/models: statistics of the models since this process started. */
export interface ModelStatusList {
  models: ModelStatus[];
  /** null if none are configured. */
  embeddings: EmbeddingStatus | null;
}

/** Status of embeddings. */
export interface EmbeddingStatus {
  model: string;
  baseUrl: string;
  hasKey: boolean;
  /**
   * False while questions are answered without embeddings, because the endpoint was slow or failed
   * repeatedly.
   */
  isAvailable: boolean;
  /** Number of embedded passages, and of all passages. */
  done: number;
  total: number;
  /** Requests of this process to the endpoint. */
  questions: Pick<ModelStatus, 'answered' | 'failures' | 'last'>;
  passages: Pick<ModelStatus, 'answered' | 'failures' | 'last'>;
}

export interface ModelStatus {
  name: string;
  /** Name of the model at the endpoint. */
  model: string;
  baseUrl: string;
  /** Whether an API key is configured. */
  hasKey: boolean;
  /**
   * Maximum tokens of prompt and answer together: as configured, or less if the endpoint has refused that
   * many.
   */
  contextTokens: number;
  isAvailable: boolean;
  /** Number of completed answers. */
  answered: number;
  /** Number of failures by name, as in the log: invalid_key, unknown_model, rate_limited, content_filter … */
  failures: Record<string, number>;
  /** `message` says what to check; `status` is the HTTP status, if any. */
  last: { kind: string; status: number | null; at: string; message: string } | null;
}

/** GET /api/usage: model tokens used by the caller today (UTC). `limit` 0 is unlimited. */
export interface ModelUsage {
  day: string;
  questions: number;
  tokens: number;
  limit: number;
}
