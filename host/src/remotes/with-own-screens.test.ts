import { expect, test } from '@jest/globals';
import { BehaviorSubject } from 'rxjs';
import type { Screen } from '../contract.ts';
import type { PrefetchingLoader, RemoteFailure, RemoteShown } from './remote-loader.ts';
import { withOwnScreens } from './with-own-screens.ts';

const OWN = 'host/./composition';
const OTHER = 'mfe-chat/./chat';
const Own: Screen = () => null;
const Theirs: Screen = () => null;

function create(give: () => Promise<{ default: Screen }>) {
  const failures: RemoteFailure[] = [];
  const shown: RemoteShown[] = [];
  const prefetched: string[] = [];
  const resets: string[] = [];
  const remotes: PrefetchingLoader = {
    load: async () => ({ Screen: Theirs, release: 'mfe-chat@1.4.0' }),
    prefetch: (id) => prefetched.push(id),
    loaded: () => undefined,
    replace: async () => ({ Screen: Theirs, release: 'mfe-chat@1.3.0' }),
    reset: (id) => resets.push(id),
    onFallback: () => () => undefined,
    versionInUse: () => '1.0.0',
    fallenBack$: new BehaviorSubject<readonly string[]>([]),
    noteLateFailure: () => undefined,
    missing$: new BehaviorSubject<PrefetchingLoader['missing$']['value']>([]),
    whenLoaded: () => undefined,
    releaseOf: () => 'mfe-chat@1.4.0',
  };
  const loader = withOwnScreens(
    remotes,
    { [OWN]: give },
    {
      version: '2.1.0',
      loadTexts: async () => undefined,
      report: (failure) => failures.push(failure),
      onShown: (one) => shown.push(one),
    },
  );
  return { loader, failures, shown, prefetched, resets };
}

test('loads the host’s own screen from its chunk and all others from the remotes’ loader', async () => {
  const { loader, shown, prefetched } = create(async () => ({ default: Own }));
  expect(loader.loaded(OWN)).toBeUndefined();
  const own = await loader.load(OWN);
  expect(own).toMatchObject({ Screen: Own, release: 'host@2.1.0' });
  expect(loader.loaded(OWN)).toBe(own);
  expect(await loader.load(OWN)).toBe(own);
  own.enter?.();
  expect(shown).toMatchObject([{ remote: 'host', version: '2.1.0' }]);

  expect((await loader.load(OTHER)).Screen).toBe(Theirs);
  loader.prefetch(OTHER);
  expect(prefetched).toEqual([OTHER]);
  expect([loader.releaseOf(OWN), loader.releaseOf(OTHER)]).toEqual(['host@2.1.0', 'mfe-chat@1.4.0']);
});

test('reports a chunk that fails to load, and loads it at the next attempt', async () => {
  let isThere = false;
  const { loader, failures } = create(async () => {
    if (!isThere) throw new Error('no chunk');
    return { default: Own };
  });
  loader.prefetch(OWN);
  await expect(loader.load(OWN)).rejects.toThrow('no chunk');
  expect(failures).toMatchObject([
    { remote: 'host', expose: './composition', version: '2.1.0', phase: 'load' },
  ]);
  isThere = true;
  loader.reset(OWN);
  expect((await loader.load(OWN)).Screen).toBe(Own);
});

test('rejects when an own screen throws while rendering, since there is no previous release, and can be retried', async () => {
  const { loader, failures } = create(async () => ({ default: Own }));
  await loader.load(OWN);
  await expect(loader.replace(OWN, new Error('at render'))).rejects.toThrow('at render');
  expect(failures).toMatchObject([{ phase: 'render' }]);
  expect(loader.loaded(OWN)).toBeUndefined();
  expect((await loader.load(OWN)).Screen).toBe(Own);
});

test('a reset concerns either an own screen or that of a remote', async () => {
  const { loader, resets } = create(async () => ({ default: Own }));
  const own = await loader.load(OWN);
  loader.reset(OTHER);
  expect(resets).toEqual([OTHER]);
  expect(loader.loaded(OWN)).toBe(own);
  loader.reset(OWN);
  expect(resets).toEqual([OTHER]);
  expect(loader.loaded(OWN)).toBeUndefined();
});
