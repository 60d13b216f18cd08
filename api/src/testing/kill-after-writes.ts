import type { PublishDeps } from '../releases/publish/publish-release.ts';

/**
 * For tests: the same dependencies in a process that is killed after `steps` writes. Every later write
 * rejects with 'killed'.
 */
export function killAfterWrites(steps: number, { store, files, now }: PublishDeps): PublishDeps {
  let left = steps;
  const watched = <T extends object>(target: T, writes: string[]): T =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name, object);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          if (writes.includes(String(name)) && left-- <= 0) return Promise.reject(new Error('killed'));
          return value.apply(object, given);
        };
      },
    });
  return {
    files: watched(files, ['put', 'remove']),
    store: {
      environment: store.environment,
      releases: watched(store.releases, ['create', 'updateOne', 'deleteOne']),
      compositions: watched(store.compositions, ['create']),
      pointers: watched(store.pointers, ['create', 'updateOne']),
      moves: store.moves,
      previews: store.previews,
    },
    now,
  };
}
