import type { ConfiguredEmbeddings } from '../../config/configured-endpoint.ts';
import { EndpointFailure } from '../endpoints/endpoint-failure.ts';
import { postJson } from '../endpoints/post-json.ts';

/** Maximum size of a response in bytes, enough for 64 vectors of 4,096 numbers. */
const maxBodyBytes = 8_000_000;
const maxDimensions = 8192;

export type EmbeddingEndpoint = ReturnType<typeof createEmbeddingEndpoint>;

/** A model at an OpenAI-compatible endpoint, `POST <baseUrl>/embeddings`. */
export function createEmbeddingEndpoint(config: Pick<ConfiguredEmbeddings, 'baseUrl' | 'model' | 'apiKey'>) {
  const { baseUrl, model, apiKey } = config;

  return {
    /**
     * Unit vectors in the order of the texts.
     *
     * @throws EndpointFailure for any failure, `timeout` after `ms`.
     */
    async embed(texts: readonly string[], ms: number, signal?: AbortSignal): Promise<Float32Array[]> {
      const timeout = AbortSignal.timeout(ms);
      const request = {
        apiKey,
        body: { model, input: texts },
        signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
      };
      return vectorsOf(await postJson(`${baseUrl}/embeddings`, request, maxBodyBytes), texts.length);
    },
  };
}

function vectorsOf(body: unknown, count: number): Float32Array[] {
  const { data } = (body ?? {}) as { data?: unknown };
  if (!Array.isArray(data) || data.length !== count) throw malformed();
  const rows = data as { index?: unknown; embedding?: unknown }[];
  const vectors: Float32Array[] = [];
  for (const [at, { index = at, embedding }] of rows.entries()) {
    if (typeof index !== 'number' || !isVector(embedding)) throw malformed();
    vectors[index] = unit(embedding);
  }
  const dimensions = vectors[0]?.length;
  for (let at = 0; at < count; at += 1) if (vectors[at]?.length !== dimensions) throw malformed();
  return vectors;
}

function isVector(value: unknown): value is number[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxDimensions) return false;
  return value.every((one) => typeof one === 'number' && Number.isFinite(one));
}

function unit(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers) || 1;
  return Float32Array.from(numbers, (one) => one / length);
}

function malformed(): EndpointFailure {
  return new EndpointFailure('malformed', { detail: 'the endpoint sent no list of vectors' });
}
