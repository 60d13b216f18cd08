import { beforeAll, expect, test } from '@jest/globals';

/** The part of a bundler's runtime that sharing uses. */
interface Bundle {
  c: Record<string, unknown>;
  e(chunk: string): Promise<unknown>;
  f: { consumes?(chunk: string): unknown };
  m: Record<string, (module: { exports?: unknown }) => void>;
  S?: object;
  I?(scope: string): unknown;
  federation: { instance?: Instance; initOptions?: { name: string } };
}
interface Instance {
  name: string;
  initOptions(options: object): void;
  initShareScopeMap(scope: string, libraries: object): void;
}
/** The functions that the host provides to remotes. */
interface Lent {
  attachShareScopeMap(bundle: Bundle): void;
  bundlerRuntime: {
    init(options: { webpackRequire: Bundle }): Instance;
    I(options: { webpackRequire: Bundle }): unknown;
    consumes(options: object): void;
  };
}
const page = globalThis as unknown as {
  __webpack_require__: Bundle & { consumesLoadingData: object; initializeSharingData: object };
  _FEDERATION_BUNDLER_RUNTIME: Lent;
  __FEDERATION__: { __INSTANCES__: Instance[] };
};

const bundle = (): Bundle => ({ c: {}, e: async () => undefined, f: {}, m: {}, federation: {} });
const react = { version: '19.3.1' };
const host = {
  ...bundle(),
  consumesLoadingData: { moduleIdToConsumeDataMapping: { 6010: { fallback: () => () => react } } },
  initializeSharingData: {
    scopeToSharingDataMapping: {
      default: [{ name: 'react', version: '19.3.1', requiredVersion: '^19.3.1', factory: () => () => react }],
    },
  },
};

beforeAll(async () => {
  page.__webpack_require__ = host;
  await import('./host-runtime.js' as string);
});

/** The library that a remote receives if it needs `library` in `range`. */
function consume(range: string, library = 'react'): unknown {
  const { attachShareScopeMap, bundlerRuntime } = page._FEDERATION_BUNDLER_RUNTIME;
  const remote = bundle();
  remote.federation.initOptions = { name: 'mfe_chat' };
  remote.federation.instance = bundlerRuntime.init({ webpackRequire: remote });
  remote.federation.instance.initOptions({ id: '/entry.js', version: '1.0.0' });
  remote.federation.instance.initShareScopeMap('default', (host.S as { default: object }).default);
  attachShareScopeMap(remote);
  bundlerRuntime.I({ webpackRequire: remote });
  bundlerRuntime.consumes({
    chunkId: 'chat',
    chunkMapping: { chat: ['1'] },
    moduleToHandlerMapping: {
      1: { shareKey: library, shareInfo: { scope: ['default'], shareConfig: { requiredVersion: range } } },
    },
    webpackRequire: remote,
  });
  const module: { exports?: unknown } = {};
  remote.m['1']?.(module);
  return module.exports;
}

test('the host uses its own libraries', () => {
  const module: { exports?: unknown } = {};
  host.m['6010']?.(module);
  expect(module.exports).toBe(react);
});

test.each(['^19.3.1', '^19.3.0', '^19.2.7', '^19.0.0'])(
  'a remote that needs %s has the library of the host',
  (range) => {
    expect(consume(range)).toBe(react);
  },
);

test.each(['^19.3.2', '^19.4.0', '^20.0.0', '^18.3.1'])(
  'a remote that needs %s fails when it runs',
  (range) => {
    expect(() => consume(range)).toThrow(`mfe_chat needs react ${range}, got 19.3.1`);
  },
);

test('a library that the host does not provide throws as well', () => {
  expect(() => consume('^4.0.0', 'lodash')).toThrow('mfe_chat needs lodash ^4.0.0, got ');
});

test('developer tools see which remotes use a library', () => {
  consume('^19.3.1');
  expect(page.__FEDERATION__.__INSTANCES__[0]?.name).toBe('host');
  expect(host.S).toMatchObject({ default: { react: { '19.3.1': { useIn: ['host', 'mfe_chat'] } } } });
});
