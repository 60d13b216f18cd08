import { expect, test } from '@jest/globals';
import { readConfig } from './config.ts';

const local = { EMBEDDINGS_BASE_URL: 'http://127.0.0.1:11434/v1/', EMBEDDINGS_MODEL: 'bge-m3' };

test('embeddings are disabled without an endpoint', () => {
  expect(readConfig({}).embeddings).toBeNull();
  expect(readConfig({ EMBEDDINGS_API_KEY: 'sk-1' }).embeddings).toBeNull();
  expect(readConfig({ ...local, EMBEDDINGS_API_KEY: ' sk-1 ' }).embeddings).toEqual({
    baseUrl: 'http://127.0.0.1:11434/v1',
    model: 'bge-m3',
    apiKey: 'sk-1',
    queryPrefix: '',
    passagePrefix: '',
    timeoutMs: 300,
  });
});

test.each([
  ['intfloat/multilingual-e5-small', 'query: ', 'passage: '],
  ['multilingual-e5-large:latest', 'query: ', 'passage: '],
  ['nomic-embed-text', 'search_query: ', 'search_document: '],
  ['text-embedding-3-small', '', ''],
])('prefixes are derived from the name of the model: %s', (model, queryPrefix, passagePrefix) => {
  const { embeddings } = readConfig({ ...local, EMBEDDINGS_MODEL: model });
  expect(embeddings).toMatchObject({ queryPrefix, passagePrefix });
});

test('prefixes can be configured or disabled', () => {
  const given = { EMBEDDINGS_QUERY_PREFIX: 'ask:', EMBEDDINGS_PASSAGE_PREFIX: 'none' };
  const { embeddings } = readConfig({ ...local, EMBEDDINGS_MODEL: 'e5-small', ...given });
  expect(embeddings).toMatchObject({ queryPrefix: 'ask: ', passagePrefix: '' });
});

test.each<[Record<string, string>, string]>([
  [{ EMBEDDINGS_MODEL: 'bge-m3' }, 'EMBEDDINGS_BASE_URL must be an http:// or https:// address'],
  [{ EMBEDDINGS_BASE_URL: 'http://127.0.0.1/v1' }, 'EMBEDDINGS_MODEL must be text'],
  [{ ...local, EMBEDDINGS_BASE_URL: 'https://me:sk-secret-1@api.example' }, 'EMBEDDINGS_BASE_URL must be'],
  [{ ...local, EMBEDDINGS_API_KEY: 'sk-secret-1 x' }, 'EMBEDDINGS_API_KEY must be printable ASCII'],
  [{ ...local, EMBEDDINGS_TIMEOUT_MS: '5' }, 'EMBEDDINGS_TIMEOUT_MS must be 10–10000, got "5"'],
])('%j aborts the start', (env, message) => {
  expect(() => readConfig(env)).toThrow(message);
  expect(() => readConfig(env)).not.toThrow('sk-secret-1');
});
