/** GET /api/models: what a question can be answered by. `models` is empty where only the knowledge base answers. */
export interface ModelList {
  models: ModelInfo[];
  /** Name of the one that answers when none is chosen; 'none' where there is no model. */
  default: string;
}

export interface ModelInfo {
  name: string;
  /** Takes images. */
  vision: boolean;
  /** False while it is not being asked because it failed repeatedly: the knowledge base answers instead. */
  isAvailable: boolean;
}

/** GET /ops/models: how the models have been answering since this process began. */
export interface ModelStatusList {
  models: ModelStatus[];
  /** null where none are configured. */
  embeddings: EmbeddingStatus | null;
}

/** How passages are embedded. */
export interface EmbeddingStatus {
  model: string;
  baseUrl: string;
  hasKey: boolean;
  /** False while questions are answered without, because the endpoint was slow or failed repeatedly. */
  isAvailable: boolean;
  /** Passages that have been embedded, of how many. */
  done: number;
  total: number;
  /** What this process has asked the endpoint for. */
  questions: Pick<ModelStatus, 'answered' | 'failures' | 'last'>;
  passages: Pick<ModelStatus, 'answered' | 'failures' | 'last'>;
}

export interface ModelStatus {
  name: string;
  /** What the endpoint calls it. */
  model: string;
  baseUrl: string;
  /** An API key is configured. */
  hasKey: boolean;
  /** Tokens that prompt and answer may have together: as configured, or less where the endpoint has refused that many. */
  contextTokens: number;
  isAvailable: boolean;
  /** Answers that came to their end. */
  answered: number;
  /** How often what went wrong, by the names in the log: invalid_key, unknown_model, rate_limited, content_filter … */
  failures: Record<string, number>;
  /** `message` says what to check; `status` is the HTTP status, where there was one. */
  last: { kind: string; status: number | null; at: string; message: string } | null;
}

/** GET /api/usage: what the caller's questions to models have used today (UTC). `limit` 0 is unlimited. */
export interface ModelUsage {
  day: string;
  questions: number;
  tokens: number;
  limit: number;
}
