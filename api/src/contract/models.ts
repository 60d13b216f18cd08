import { z } from 'zod';

export const ModelInfo = z.object({
  name: z.string(),
  /** Whether it accepts images. */
  vision: z.boolean(),
  /** False while it is suspended after repeated failures: the knowledge base answers instead. */
  isAvailable: z.boolean(),
});
export type ModelInfo = z.infer<typeof ModelInfo>;

/** GET /api/models: the available models. `models` is empty if only the knowledge base answers. */
export const ModelList = z.object({
  models: z.array(ModelInfo),
  /** Name of the default model; 'none' if there is no model. */
  default: z.string(),
});
export type ModelList = z.infer<typeof ModelList>;

export const ModelStatus = z.object({
  name: z.string(),
  /** Name of the model at the endpoint. */
  model: z.string(),
  baseUrl: z.string(),
  /** Whether an API key is configured. */
  hasKey: z.boolean(),
  /**
   * Maximum tokens of prompt and answer together: as configured, or less if the endpoint has refused that
   * many.
   */
  contextTokens: z.number(),
  isAvailable: z.boolean(),
  /** Number of completed answers. */
  answered: z.number(),
  /** Number of failures by name, as in the log: invalid_key, unknown_model, rate_limited, content_filter … */
  failures: z.record(z.string(), z.number()),
  /** The last failure: `message` explains what to check; `status` is the HTTP status, if any. */
  last: z
    .object({ kind: z.string(), status: z.number().nullable(), at: z.string(), message: z.string() })
    .nullable(),
});
export type ModelStatus = z.infer<typeof ModelStatus>;

/** Status of embeddings. */
export const EmbeddingStatus = z.object({
  model: z.string(),
  baseUrl: z.string(),
  hasKey: z.boolean(),
  /**
   * False while questions are answered without embeddings, because the endpoint was slow or failed
   * repeatedly.
   */
  isAvailable: z.boolean(),
  /** Number of embedded passages, and of all passages. */
  done: z.number(),
  total: z.number(),
  /** Requests of this process to the endpoint. */
  questions: ModelStatus.pick({ answered: true, failures: true, last: true }),
  passages: ModelStatus.pick({ answered: true, failures: true, last: true }),
});
export type EmbeddingStatus = z.infer<typeof EmbeddingStatus>;

/** GET /ops/models: statistics of the models since this process started. */
export const ModelStatusList = z.object({
  models: z.array(ModelStatus),
  /** null if none are configured. */
  embeddings: EmbeddingStatus.nullable(),
});
export type ModelStatusList = z.infer<typeof ModelStatusList>;

/** GET /api/usage: model tokens used by the caller today (UTC). `limit` 0 is unlimited. */
export const ModelUsage = z.object({
  day: z.string(),
  questions: z.number(),
  tokens: z.number(),
  limit: z.number(),
});
export type ModelUsage = z.infer<typeof ModelUsage>;
