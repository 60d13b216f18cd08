import type { Screen, Texts } from '../contract.ts';
import type { ScreenId } from '../routes.ts';
import type { LoadedScreen, PrefetchingLoader, RemoteFailure, RemoteShown } from './remote-loader.ts';
import { asError, textsOf } from './run-module.ts';

/** Imports the host's own screens, each a chunk of its own, because most visitors never open them. By their id in the route table. */
export type OwnScreens = Readonly<Record<ScreenId, () => Promise<{ default: Screen }>>>;

interface Options {
  /** Version of the host in this page. */
  version: string;
  loadTexts(texts: Texts<object>): Promise<void>;
  report(failure: RemoteFailure): void;
  onShown?(shown: RemoteShown): void;
}

/** Makes the host's own screens load, fail and retry like those of remotes. They have no previous release. */
export function withOwnScreens(
  remotes: PrefetchingLoader,
  own: OwnScreens,
  { version, loadTexts, report, onShown }: Options,
): PrefetchingLoader {
  const release = `host@${version}`;
  const screens = new Map<ScreenId, LoadedScreen>();
  const reportFailure = (id: ScreenId, phase: RemoteFailure['phase'], error: Error) =>
    report({ remote: 'host', expose: id.slice(id.indexOf('/') + 1), version, phase, error });

  const importScreen = async (module: Promise<{ default: Screen }>) => {
    await Promise.all(textsOf(await module).map((texts) => loadTexts(texts)));
    return (await module).default;
  };
  const enter = () => onShown?.({ remote: 'host', version, at: performance.now() });

  return {
    ...remotes,
    async load(id) {
      if (!own[id]) return remotes.load(id);
      try {
        const screen = screens.get(id) ?? { Screen: await importScreen(own[id]()), release, enter };
        screens.set(id, screen);
        return screen;
      } catch (error) {
        reportFailure(id, 'load', asError(error));
        throw error;
      }
    },
    prefetch(id) {
      if (!own[id]) return remotes.prefetch(id);
      // A failure is ignored, because a later load tries again.
      void importScreen(own[id]()).catch(() => undefined);
    },
    onFallback: (id, show) => (own[id] ? () => undefined : remotes.onFallback(id, show)),
    versionInUse: (remote) => (remote === 'host' ? version : remotes.versionInUse(remote)),
    loaded: (id) => (own[id] ? screens.get(id) : remotes.loaded(id)),
    replace(id, error) {
      if (!own[id]) return remotes.replace(id, error);
      reportFailure(id, 'render', error);
      screens.delete(id);
      return Promise.reject(error);
    },
    reset(id) {
      if (own[id]) screens.delete(id);
      else remotes.reset(id);
    },
    releaseOf: (id) => (own[id] ? release : remotes.releaseOf(id)),
  };
}
