import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { readConfig } from './config.ts';
import { checkConfig } from './configure.ts';

const folder = await temporaryFolder('desk-secrets');
afterAll(() => rm(folder, { recursive: true }));

async function secretFile(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

test.each([
  ['SECRET', '0123456789abcdef', 'secret'],
  ['OPS_TOKEN', 'fedcba9876543210', 'opsToken'],
  ['MONGODB_URI', 'mongodb://db/desk', 'mongodbUri'],
] as const)('%s may stand in a file, whose last line break does not count', async (name, value, key) => {
  const file = await secretFile(name, `${value}\n`);
  expect(readConfig({ [`${name}_FILE`]: file })[key]).toBe(value);
});

test('keys of models may stand in files, also those that MODELS names', async () => {
  const env = {
    OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1',
    OPENAI_MODEL: 'qwen3',
    OPENAI_API_KEY_FILE: await secretFile('openai', 'sk-1'),
    CLOUD_KEY_FILE: await secretFile('cloud', 'sk-2'),
    MODELS_FILE: await secretFile(
      'models',
      JSON.stringify([{ name: 'fast', baseUrl: 'https://api.example/v1', apiKeyEnv: 'CLOUD_KEY' }]),
    ),
  };
  expect(readConfig(env).models.map(({ apiKey }) => apiKey)).toEqual(['sk-1', 'sk-2']);
});

test('a file that cannot be used stops the start', async () => {
  const file = await secretFile('short', 'hunter2');
  const refusals = (env: Record<string, string>) => expect(() => readConfig(env));
  refusals({ SECRET_FILE: `${folder}/none` }).toThrow(
    `SECRET_FILE must be a readable file, got ${folder}/none (ENOENT)`,
  );
  refusals({ SECRET_FILE: folder }).toThrow('(EISDIR)');
  refusals({ SECRET_FILE: await secretFile('empty', '\n') }).toThrow('must be a file with the value');
  refusals({ SECRET_FILE: file, SECRET: '0123456789abcdef' }).toThrow(
    /^SECRET or SECRET_FILE must be set, got both$/,
  );
  refusals({ SECRET_FILE: file }).toThrow('SECRET must be at least 16 characters, got a value of 7');
});

test('the report names each value with its source, and no secret', async () => {
  const env = {
    PORT: ' 3000 ',
    SECRET: 'hunter2hunter2hunter2',
    OPS_TOKEN_FILE: await secretFile('token', 'hunter3hunter3hunter3'),
    AVATAR_BOT_URL: 'https://me:hunter4@pictures.example/bot.png',
  };
  const { report, isValid } = checkConfig(env);
  expect(isValid).toBe(true);
  expect(report).toMatch(/^PORT +3000 +environment$/m);
  expect(report).toMatch(/^HOST +127\.0\.0\.1 +default$/m);
  expect(report).toMatch(/^SECRET +\(21 characters\) +environment$/m);
  expect(report).toContain(`file ${env.OPS_TOKEN_FILE}`);
  expect(report).toMatch(/^LIMIT_SIGN_UP +twice LIMIT_SIGN_IN +default$/m);
  expect(report).not.toMatch(/hunter/);
});

test('the report ends with every error', () => {
  const { report, isValid } = checkConfig({ PORT: 'x', SECRET: 'hunter2' });
  expect(isValid).toBe(false);
  expect(report).toMatch(/^PORT must be 1–65535, got "x"\nSECRET must be at least 16 characters/m);
  expect(report).not.toContain('hunter2');
});

test.each([
  ['LIMT_CHAT', 'LIMIT_CHAT'],
  ['mongodb_uri', 'MONGODB_URI'],
  ['MONGODB_URL', 'MONGODB_URI'],
  ['SECERT', 'SECRET'],
  ['REGISTRATON', 'REGISTRATION'],
  ['OPS_TOKEN_FIEL', 'OPS_TOKEN_FILE'],
])('a misspelt variable is reported: %s', (given, meant) => {
  expect(checkConfig({ [given]: 'hunter2' }).report).toContain(
    `warning: ${given} is not a variable of the desk: ${meant} is`,
  );
});

test('variables of other programs and of our own commands are not reported', () => {
  const names = ['EDITOR', 'PATH', 'HOME', 'HOSTNAME', 'MODEL', 'RELEASE_TOKEN', 'DESK_URL', 'NODE_ENV'];
  const { report } = checkConfig(Object.fromEntries(names.map((name) => [name, 'x'])));
  expect(report).not.toContain('warning');
  expect(checkConfig({ PORT_FILE: '/x' }).report).toContain('PORT_FILE is not read');
});

test.each([
  [['--check-config'], { PORT: '3000' }, 0, /^PORT +3000 +environment$/m],
  [['--check-config'], { PORT: 'x' }, 1, /PORT must be 1–65535/],
  [['--chek-config'], {}, 1, /--chek-config/],
] as const)('the start with %j and %j exits with %i', (args, env, code, said) => {
  return new Promise<void>((resolve, reject) => {
    const main = join(import.meta.dirname, '../main.ts');
    execFile(process.execPath, [main, ...args], { env }, (error, out, err) => {
      try {
        expect(error?.code ?? 0).toBe(code);
        expect(out + err).toMatch(said);
        resolve();
      } catch (cause) {
        reject(cause);
      }
    });
  });
});
