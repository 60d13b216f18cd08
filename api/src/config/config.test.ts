import { expect, test } from '@jest/globals';
import { readConfig } from './config.ts';

test('an empty environment gives the defaults', () => {
  expect(readConfig({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    dataDir: './data',
    mongodbUri: null,
    environment: 'production',
    publicUrl: null,
    trustProxy: 0,
    drainSeconds: 5,
    secret: null,
    setupToken: null,
    opsToken: null,
    sessionDays: 30,
    guestDays: 7,
    undoDays: 7,
    auditDays: 365,
    auditFile: '',
    auditWebhookUrl: null,
    auditWebhookAuthorization: null,
    auditWebhookSecret: null,
    handbook: true,
    requireSignIn: false,
    registration: 'open',
    editors: [],
    limitChat: 60,
    limitSignIn: 10,
    limitSignUp: 20,
    limitPdf: 30,
    limitGuestMb: 200,
    limitAddressMb: 2000,
    limitOwnerMb: 1000,
    maxUploadMb: 20,
    maxPages: 2000,
    models: [],
    embeddings: null,
    rerank: null,
    signIn: { isLocal: true, providers: [] },
    modelTimeout: 30,
    limitModelTokens: 0,
    releaseRetention: 90,
    releaseTokens: {},
    releaseOrigins: [],
    productionApprovals: 1,
    webhookOrigins: [],
    metricsPort: null,
    metricsToken: null,
    otlpEndpoint: null,
    avatarUserUrl: null,
    avatarBotUrl: null,
    serviceWorker: true,
    logLevel: 'info',
  });
});

test('reads set variables, and treats an empty value as unset', () => {
  const config = readConfig({
    PORT: ' 3000 ',
    HOST: '',
    DESK_ENV: 'staging',
    PUBLIC_URL: 'https://desk.example/',
    TRUST_PROXY: 'on',
    REQUIRE_SIGN_IN: 'true',
    EDITORS: ' Ann , 王五 ,',
    LIMIT_CHAT: '0',
    OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1/',
    OPENAI_MODEL: 'qwen3',
    RELEASE_TOKENS: 'mfe-chat:0123456789abcdef,mfe-auth:a:b:0123456789abcdef',
    RELEASE_ORIGINS: 'https://cdn.example, http://127.0.0.1:9000',
    WEBHOOK_ORIGINS: 'https://hooks.example/',
  });
  expect(config).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    environment: 'staging',
    publicUrl: 'https://desk.example',
    trustProxy: 1,
    requireSignIn: true,
    editors: ['Ann', '王五'],
    limitChat: 0,
    models: [
      {
        name: 'qwen3',
        model: 'qwen3',
        baseUrl: 'http://127.0.0.1:11434/v1',
        apiKey: '',
        vision: false,
        contextTokens: 16_000,
      },
    ],
    releaseTokens: { 'mfe-chat': '0123456789abcdef', 'mfe-auth': 'a:b:0123456789abcdef' },
    releaseOrigins: ['https://cdn.example', 'http://127.0.0.1:9000'],
    webhookOrigins: ['https://hooks.example'],
  });
});

test.each([
  [{ PORT: 'x' }, 'PORT must be 1–65535, got "x"'],
  [{ PORT: '0' }, 'PORT must be 1–65535, got "0"'],
  [{ PORT: '65536' }, 'PORT must be 1–65535, got "65536"'],
  [{ PORT: '1e3' }, 'PORT must be 1–65535, got "1e3"'],
  [
    { DESK_ENV: 'Staging 2' },
    'DESK_ENV must be lower-case letters, digits and hyphens, at most 32 and first a letter, such as staging, got "Staging 2"',
  ],
  [{ REQUIRE_SIGN_IN: 'maybe' }, 'REQUIRE_SIGN_IN must be true or false, got "maybe"'],
  [{ REGISTRATION: 'shut' }, 'REGISTRATION must be open or closed, got "shut"'],
  [{ TRUST_PROXY: '11' }, 'TRUST_PROXY must be off, on or the number of proxies (1–10), got "11"'],
  [
    { PUBLIC_URL: 'desk.example' },
    'PUBLIC_URL must be an origin such as https://desk.example, or with a path such as https://example.org/desk, got "desk.example"',
  ],
  [
    { PUBLIC_URL: 'https://desk.example/api/' },
    'PUBLIC_URL must be an origin such as https://desk.example, or with a path such as https://example.org/desk, got "https://desk.example/api/"',
  ],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent, got "loud"'],
  [{ OPENAI_MODEL: 'm' }, 'OPENAI_BASE_URL must be set if OPENAI_MODEL is set, got ""'],
  [
    { OPENAI_BASE_URL: 'ftp://x', OPENAI_MODEL: 'm' },
    'OPENAI_BASE_URL must be an http:// or https:// address without user name, password or query, got "ftp://x"',
  ],
])('%j aborts the start with an error message', (env, message) => {
  expect(() => readConfig(env)).toThrow(message);
});

test.each(['chatbot', 'api', 'admin', 'ops', 'OPS'])(
  'a base path must not begin like the desk’s own: /%s',
  (path) => {
    expect(() => readConfig({ PUBLIC_URL: `https://desk.example/${path}` })).toThrow(/PUBLIC_URL must be/);
    expect(readConfig({ PUBLIC_URL: `https://desk.example/${path}-1` }).publicUrl).toBe(
      `https://desk.example/${path}-1`,
    );
  },
);

test.each([
  'mfe-chat:0123456789abcdef,mfe-auth:0123456789abcdef',
  'mfe-chat:0123456789abcdef,mfe-chat:fedcba9876543210',
])('refuses ambiguous release tokens: %s', (given) => {
  expect(() => readConfig({ RELEASE_TOKENS: given })).toThrow(/RELEASE_TOKENS must be a list/);
});

test('lists every invalid value at once, without quoting secrets', () => {
  const env = { PORT: 'x', SECRET: 'hunter2', MONGODB_URI: 'user:hunter2@db', RELEASE_TOKENS: 'hunter2' };
  expect(() => readConfig(env)).toThrow(/PORT.*\nMONGODB_URI.*\nSECRET.*\nRELEASE_TOKENS/);
  expect(() => readConfig(env)).not.toThrow(/hunter2/);
});

test.each([
  ['AUDIT_WEBHOOK_URL', 'https://siem.example/in?key=hunter2', 'https://li:hunter2@siem.example/'],
  ['AUDIT_WEBHOOK_AUTHORIZATION', 'Splunk hunter2', 'hunter2\u{1}'],
  ['AUDIT_WEBHOOK_SECRET', 'whsec_MDEyMzQ1Njc4OWFiY2RlZg==', 'whsec_hunter2'],
])('%s is checked, and never quoted', (name, good, bad) => {
  expect(Object.values(readConfig({ [name]: good }))).toContain(good);
  expect(() => readConfig({ [name]: bad })).toThrow(name);
  expect(() => readConfig({ [name]: bad })).not.toThrow(/hunter2/);
});

test('an API key alone configures no model', () => {
  expect(readConfig({ OPENAI_API_KEY: 'key of another program' }).models).toEqual([]);
});
