import { expect, test } from '@jest/globals';
import { readConfig } from './config.ts';

const acme = { id: 'acme', name: 'Acme', issuer: 'https://id.acme.example/realms/a', clientId: 'desk' };

const read = (providers: unknown, more: Record<string, string> = {}) =>
  readConfig({ OIDC_PROVIDERS: JSON.stringify(providers), ...more }).signIn;

test('providers have the default scope, and no roles by claim unless configured', () => {
  expect(readConfig({}).signIn).toEqual({ isLocal: true, providers: [] });
  expect(read([acme], { LOCAL_SIGN_IN: 'off' })).toEqual({
    isLocal: false,
    providers: [{ ...acme, scope: 'openid profile email', roles: {} }],
  });
  const roles = { writers: ['editor', 'agent'] };
  const own = { ...acme, clientSecret: 'secret', scope: 'openid', rolesClaim: 'groups', roles };
  expect(read([own]).providers).toEqual([own]);
  expect(read([{ ...acme, issuer: 'http://127.0.0.1:9000' }]).providers).toHaveLength(1);
});

test.each<[string, unknown, RegExp]>([
  ['no list', {}, /^OIDC_PROVIDERS must be a JSON array/],
  [
    'no TLS',
    [{ ...acme, issuer: 'http://id.acme.example' }],
    /^OIDC_PROVIDERS\[0\]\.issuer must be an https:/,
  ],
  ['an unknown role', [{ ...acme, roles: { a: ['owner'] } }], /^OIDC_PROVIDERS\[0\]\.roles\.a\[0\] /],
  ['an unknown field', [{ ...acme, secret: 's3cret' }], /^OIDC_PROVIDERS\[0\] must have no other fields$/],
  ['no client', [{ ...acme, clientId: undefined }], /^OIDC_PROVIDERS\[0\]\.clientId must be text$/],
  ['an id with a slash', [{ ...acme, id: 'a/b' }], /^OIDC_PROVIDERS\[0\]\.id must be 1–32 lower-case/],
  ['an id twice', [acme, { ...acme, name: 'B', issuer: 'https://b.example' }], /different id/],
])('%s stops the start', (_, providers, message) => {
  expect(() => read(providers)).toThrow(message);
});

test('without passwords there must be a provider', () => {
  expect(() => readConfig({ LOCAL_SIGN_IN: 'off' })).toThrow(
    'OIDC_PROVIDERS must be set if LOCAL_SIGN_IN is off, got ""',
  );
});
