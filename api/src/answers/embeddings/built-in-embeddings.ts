import type { ConfiguredEmbeddings } from '../../config/configured-embeddings.ts';
import type { EmbeddingEndpoint } from './embedding-endpoint.ts';
import { wordVectors } from './word-vectors.ts';

/** Increment if `api/word-vectors` or the splitting into words changes, so that all vectors are computed again. */
const version = 1;

/** Embeddings by word vectors, for a desk without EMBEDDINGS_BASE_URL. */
export function builtInEmbeddings(): { config: ConfiguredEmbeddings; endpoint: EmbeddingEndpoint } {
  const { vectorOf } = wordVectors();
  return {
    config: {
      baseUrl: '',
      model: `word vectors ${version}`,
      apiKey: '',
      queryPrefix: '',
      passagePrefix: '',
      timeoutMs: 10_000,
    },
    endpoint: { embed: async (texts) => texts.map(vectorOf) },
  };
}
