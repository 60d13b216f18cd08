import { expect, test } from '@jest/globals';
import { readConfig } from './config.ts';

const local = { OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1/' } as const;

test('OPENAI_MODEL is one model or a list, the default first', () => {
  const { models } = readConfig({
    ...local,
    OPENAI_API_KEY: ' sk-1 ',
    OPENAI_MODEL: 'qwen3, llava:7b ,',
    OPENAI_VISION: 'true',
    OPENAI_CONTEXT_TOKENS: '8000',
  });
  const shared = {
    baseUrl: 'http://127.0.0.1:11434/v1',
    apiKey: 'sk-1',
    vision: true,
    contextTokens: 8000,
  };
  expect(models).toEqual([
    { name: 'qwen3', model: 'qwen3', ...shared },
    { name: 'llava:7b', model: 'llava:7b', ...shared },
  ]);
});

test('MODELS configures models at other endpoints, with their own keys or keys from variables', () => {
  const { models } = readConfig({
    ...local,
    OPENAI_MODEL: 'qwen3',
    CLOUD_KEY: 'sk-cloud',
    MODELS: JSON.stringify([
      {
        name: '快',
        model: 'deepseek-chat',
        baseUrl: 'https://api.example/v1',
        apiKeyEnv: 'CLOUD_KEY',
        contextTokens: 64_000,
      },
      { name: 'eyes', baseUrl: 'http://gpu.local:8000/v1', apiKey: 'sk-own', vision: true },
    ]),
  });
  expect(models.map(({ name }) => name)).toEqual(['qwen3', '快', 'eyes']);
  expect(models[1]).toMatchObject({ model: 'deepseek-chat', apiKey: 'sk-cloud', contextTokens: 64_000 });
  expect(models[2]).toMatchObject({ model: 'eyes', apiKey: 'sk-own', vision: true, contextTokens: 16_000 });
});

const entry = { name: 'a', baseUrl: 'https://api.example/v1' };

test.each<[Record<string, string>, string]>([
  [{ MODELS: 'sk-secret-1' }, 'MODELS must be a JSON array such as [{"name": "…", "baseUrl": "…"}], got 11'],
  [{ MODELS: '{"apiKey": "sk-secret-1"}' }, 'MODELS must be a JSON array'],
  [{ MODELS: '["sk-secret-1"]' }, 'MODELS[0] must be an object with name, model'],
  [{ MODELS: JSON.stringify([{ baseUrl: entry.baseUrl }]) }, 'MODELS[0].name must be text of 1–64'],
  [{ MODELS: JSON.stringify([{ ...entry, name: 'none' }]) }, 'MODELS[0].name must be text of 1–64'],
  [
    { MODELS: JSON.stringify([entry, { name: 'b' }]) },
    'MODELS[1].baseUrl must be an http:// or https:// address',
  ],
  [
    { MODELS: JSON.stringify([{ ...entry, baseUrl: 'https://me:sk-secret-1@api.example' }]) },
    'MODELS[0].baseUrl must be an http:// or https:// address without user name',
  ],
  [{ MODELS: JSON.stringify([{ ...entry, apiKey: 'sk-secret-1\n' }]) }, 'MODELS[0].apiKey must be printable'],
  [{ MODELS: JSON.stringify([{ ...entry, apiKeyEnv: 'sk-secret-1' }]) }, 'MODELS[0].apiKeyEnv must be the'],
  [{ MODELS: JSON.stringify([{ ...entry, key: 'sk-secret-1' }]) }, 'MODELS[0] must have no fields but'],
  [{ MODELS: JSON.stringify([{ ...entry, vision: 'yes' }]) }, 'MODELS[0].vision must be true or false'],
  [{ MODELS: JSON.stringify([{ ...entry, contextTokens: 10 }]) }, 'MODELS[0].contextTokens must be a whole'],
  [
    { MODELS: JSON.stringify([entry, entry]) },
    'OPENAI_MODEL and MODELS must name each model once, got "a" twice',
  ],
  [
    { OPENAI_BASE_URL: 'htp://me:sk-secret-1@x', OPENAI_MODEL: 'm' },
    'OPENAI_BASE_URL must be an http:// or https:// address',
  ],
  [
    { ...local, OPENAI_MODEL: 'm', OPENAI_API_KEY: 'sk-secret-1 x' },
    'OPENAI_API_KEY must be printable ASCII',
  ],
  [{ ...local, OPENAI_MODEL: 'a,none' }, 'OPENAI_MODEL must be a list of names'],
  [
    { ...local, OPENAI_MODEL: 'm', OPENAI_VISION: 'maybe' },
    'OPENAI_VISION must be true or false, got "maybe"',
  ],
  [
    { ...local, OPENAI_MODEL: 'm', OPENAI_CONTEXT_TOKENS: '1e9' },
    'OPENAI_CONTEXT_TOKENS must be 2000–10000000',
  ],
])('an invalid value aborts the start, reported without secrets: %j', (env, problem) => {
  let message = '';
  try {
    readConfig(env);
  } catch (cause) {
    message = (cause as Error).message;
  }
  expect(message).toContain(problem);
  expect(message).not.toContain('secret');
});
