import { afterEach, expect, jest, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { Screen } from '../contract.ts';
import { createStandInServices } from '../testing/stand-in-services.ts';
import type { LoadedScreen, RemoteLoader } from './remote-loader.ts';
import { RemoteScreen } from './remote-screen.tsx';

const CHAT = 'mfe-chat/./chat';

afterEach(() => {
  jest.useRealTimers();
});
const Fine: Screen = () => <h1>fine</h1>;
const Throwing: Screen = () => {
  useEffect(() => {
    throw new Error('in an effect');
  }, []);
  return <h1>never for long</h1>;
};
const loadedAs = (release: string, Screen: Screen, enter?: () => void): LoadedScreen => ({
  Screen,
  release,
  owns: (stack) => stack.includes('remote-screen.test'),
  ...(enter && { enter }),
});

/** A loader with these answers, and the list of its calls. */
function loaderOf(answers: Partial<RemoteLoader>): { loader: RemoteLoader; calls: string[] } {
  const calls: string[] = [];
  const loader = {
    load: () => new Promise<never>(() => undefined),
    loaded: () => undefined,
    replace: (_, error) => Promise.reject(error),
    onFallback: () => () => undefined,
    reset: (id) => void calls.push(`reset ${id}`),
    releaseOf: () => 'mfe-chat@2.0.0',
    ...answers,
  } satisfies RemoteLoader;
  return { loader, calls };
}

function open(loader: RemoteLoader, onSettled = () => undefined) {
  const { services } = createStandInServices();
  const page = (
    <Suspense fallback={<p>the frame waits</p>}>
      <RemoteScreen
        id={CHAT}
        loader={loader}
        services={services}
        language="zh"
        controls={null}
        placeholder={<p>waiting</p>}
        failed={(retry, hasRetried) => (
          <button type="button" onClick={retry}>
            {hasRetried ? 'retry again' : 'retry'}
          </button>
        )}
        onSettled={onSettled}
      />
    </Suspense>
  );
  return render(page, { onCaughtError: () => undefined });
}

test('shows a loading state, then the screen, and reports it once', async () => {
  const events: string[] = [];
  const coming = Promise.withResolvers<LoadedScreen>();
  const { loader } = loaderOf({ load: () => coming.promise });
  open(loader, () => void events.push('settled'));
  expect(screen.getByText('waiting')).toBeVisible();
  expect(events).toEqual([]);

  await act(async () => coming.resolve(loadedAs('mfe-chat@2.0.0', Fine, () => void events.push('entered'))));

  expect(screen.getByRole('heading', { name: 'fine' })).toBeVisible();
  expect(events).toEqual(['entered', 'settled']);
});

test('shows a loaded screen immediately', () => {
  const shown = loadedAs('mfe-chat@2.0.0', Fine);
  open(loaderOf({ loaded: () => shown, load: async () => shown }).loader);
  expect(screen.getByRole('heading', { name: 'fine' })).toBeVisible();
});

test('a load in progress does not bring back a screen that threw', async () => {
  const under = Promise.withResolvers<LoadedScreen>();
  const broken = loadedAs('mfe-chat@2.0.0', Throwing);
  const replaced: string[] = [];
  const { loader } = loaderOf({
    loaded: () => broken,
    load: () => under.promise,
    replace: async (_, { message }) => {
      replaced.push(message);
      return loadedAs('mfe-chat@1.0.0', Fine);
    },
  });
  open(loader);
  expect(await screen.findByRole('heading', { name: 'fine' })).toBeVisible();
  await act(async () => under.resolve(broken));
  expect(screen.getByRole('heading', { name: 'fine' })).toBeVisible();
  expect(replaced).toEqual(['in an effect']);
});

const ThrowingTwice: Screen = (props) => (
  <>
    <Throwing {...props} />
    <Throwing {...props} />
  </>
);
test('replaces a screen once if several of its effects throw', async () => {
  const replaced: string[] = [];
  const { loader } = loaderOf({
    load: async () => loadedAs('mfe-chat@2.0.0', ThrowingTwice),
    replace: async (_, { message }) => {
      replaced.push(message);
      return loadedAs('mfe-chat@1.0.0', Fine);
    },
  });
  open(loader);
  expect(await screen.findByRole('heading', { name: 'fine' })).toBeVisible();
  expect(replaced).toEqual(['in an effect']);
});

test('clears the failure before the next attempt', async () => {
  const outcomes = [Promise.reject(new Error('404')), Promise.resolve(loadedAs('mfe-chat@2.0.0', Fine))];
  const { loader, calls } = loaderOf({ load: () => outcomes.shift()! });
  open(loader);
  await userEvent.click(await screen.findByRole('button', { name: 'retry' }));
  expect(await screen.findByRole('heading', { name: 'fine' })).toBeVisible();
  expect(calls).toEqual([`reset ${CHAT}`]);
});

test('mounts the same release again at the next attempt', async () => {
  let isBroken = true;
  const fickle: Screen = () => {
    if (isBroken) throw new Error('at render');
    return <h1>fickle</h1>;
  };
  const { loader } = loaderOf({ load: async () => loadedAs('mfe-chat@2.0.0', fickle) });
  open(loader);
  const retry = await screen.findByRole('button', { name: 'retry' });
  isBroken = false;
  await userEvent.click(retry);
  expect(await screen.findByRole('heading', { name: 'fickle' })).toBeVisible();
});

test('a suspended screen shows its own loading state', async () => {
  const Never = lazy(() => new Promise<never>(() => undefined));
  const { loader } = loaderOf({ load: async () => loadedAs('mfe-chat@2.0.0', () => <Never />) });
  const { container } = open(loader);
  await act(async () => undefined);
  expect(container).toHaveTextContent(/^waiting$/);
});

test('replaces a screen by the previous release when a late file fails', async () => {
  let fallBack: (screen: LoadedScreen) => void = () => undefined;
  const { loader } = loaderOf({
    load: async () => loadedAs('mfe-chat@2.0.0', Fine),
    onFallback: (_, show) => {
      fallBack = show;
      return () => undefined;
    },
  });
  open(loader);
  expect(await screen.findByRole('heading', { name: 'fine' })).toBeVisible();
  act(() => fallBack(loadedAs('mfe-chat@1.0.0', () => <h1>previous</h1>)));
  expect(screen.getByRole('heading', { name: 'previous' })).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'fine' })).toBeNull();
});

const Controls = () => (
  <div data-controls="">
    <button type="button">EN</button>
  </div>
);
test.each<[string, Screen]>([
  ['nothing', () => null],
  ['an empty page', () => <main id="main" />],
  ['only spaces', () => <main id="main"> </main>],
  [
    'only the host’s controls',
    () => (
      <main id="main">
        <Controls />
      </main>
    ),
  ],
])('replaces a screen that renders %s by the previous release', async (_, Blank) => {
  jest.useFakeTimers();
  const replaced: string[] = [];
  const { loader } = loaderOf({
    load: async () => loadedAs('mfe-chat@2.0.0', Blank),
    replace: async (_, { message }) => {
      replaced.push(message);
      return loadedAs('mfe-chat@1.0.0', Fine);
    },
  });
  open(loader);
  await act(async () => undefined);
  await act(() => jest.advanceTimersByTimeAsync(4_999));
  expect(replaced).toEqual([]);
  await act(() => jest.advanceTimersByTimeAsync(1));
  expect(replaced).toEqual(['mfe-chat@2.0.0 renders nothing']);
  expect(screen.getByRole('heading', { name: 'fine' })).toBeVisible();
  await act(() => jest.advanceTimersByTimeAsync(20_000));
  expect(replaced).toHaveLength(1);
});

const Emptying: Screen = () => {
  const [isEmpty, setEmpty] = useState(false);
  return isEmpty ? null : (
    <button type="button" onClick={() => setEmpty(true)}>
      empty
    </button>
  );
};
test('replaces a screen that becomes empty later, too', async () => {
  jest.useFakeTimers();
  const { loader } = loaderOf({
    load: async () => loadedAs('mfe-chat@2.0.0', Emptying),
    replace: async () => loadedAs('mfe-chat@1.0.0', Fine),
  });
  open(loader);
  await act(() => jest.advanceTimersByTimeAsync(20_000));
  act(() => screen.getByRole('button', { name: 'empty' }).click());
  await act(() => jest.advanceTimersByTimeAsync(5_000));
  expect(screen.getByRole('heading', { name: 'fine' })).toBeVisible();
});

test.each<[string, Screen]>([
  ['a text', () => <main>text</main>],
  [
    'a field',
    () => (
      <main>
        <textarea />
      </main>
    ),
  ],
  [
    'a drawing',
    () => (
      <main>
        <canvas />
      </main>
    ),
  ],
])('keeps a screen that shows %s', async (_, Shown) => {
  jest.useFakeTimers();
  const replaced: string[] = [];
  const { loader } = loaderOf({
    load: async () => loadedAs('mfe-chat@2.0.0', Shown),
    replace: async (_, { message }) => {
      replaced.push(message);
      return loadedAs('mfe-chat@1.0.0', Fine);
    },
  });
  open(loader);
  await act(() => jest.advanceTimersByTimeAsync(20_000));
  expect(replaced).toEqual([]);
});

test('removes what a screen leaves outside of the frame', async () => {
  const leaving: Screen = () => {
    useEffect(() => {
      const veil = document.createElement('div');
      veil.id = 'veil';
      document.body.append(veil);
    }, []);
    return <h1>leaving</h1>;
  };
  const { unmount } = open(loaderOf({ load: async () => loadedAs('mfe-chat@2.0.0', leaving) }).loader);
  await screen.findByRole('heading', { name: 'leaving' });
  expect(document.getElementById('veil')).not.toBeNull();
  unmount();
  expect(document.getElementById('veil')).toBeNull();
});

test('a screen that failed opens by itself when the browser is online again; after a retry it is marked', async () => {
  let isOnline = false;
  const { loader, calls } = loaderOf({
    load: async () => {
      if (!isOnline) throw new Error('offline');
      return loadedAs('mfe-chat@2.0.0', Fine);
    },
  });
  open(loader);
  expect(await screen.findByRole('button', { name: 'retry' })).toBeVisible();
  await userEvent.click(screen.getByRole('button'));
  expect(await screen.findByRole('button', { name: 'retry again' })).toBeVisible();

  isOnline = true;
  await act(async () => window.dispatchEvent(new Event('online')));
  expect(await screen.findByRole('heading', { name: 'fine' })).toBeVisible();
  expect(calls).toEqual([`reset ${CHAT}`, `reset ${CHAT}`]);
  await act(async () => window.dispatchEvent(new Event('online')));
  expect(calls).toHaveLength(2);
});

test('a load in progress does not replace the previous release that is shown meanwhile', async () => {
  const live = Promise.withResolvers<LoadedScreen>();
  let show: (screen: LoadedScreen) => void = () => undefined;
  const { loader } = loaderOf({
    load: () => live.promise,
    onFallback: (_, listener) => {
      show = listener;
      return () => undefined;
    },
  });
  open(loader);
  act(() => show(loadedAs('mfe-chat@1.0.0', () => <h1>previous</h1>)));
  await act(async () => live.resolve(loadedAs('mfe-chat@2.0.0', Fine)));
  expect(screen.getByRole('heading', { name: 'previous' })).toBeVisible();
});

test('a screen that throws again after a retry is reported again', async () => {
  const throwing = loadedAs('mfe-chat@2.0.0', Throwing);
  const replaced: string[] = [];
  const { loader } = loaderOf({
    load: async () => throwing,
    replace: async (_, error) => {
      replaced.push(error.message);
      throw error;
    },
  });
  open(loader);
  await userEvent.click(await screen.findByRole('button', { name: 'retry' }));
  expect(await screen.findByRole('button', { name: 'retry again' })).toBeVisible();
  expect(replaced).toEqual(['in an effect', 'in an effect']);
});

const moved = () =>
  Object.assign(new Error('The node to be removed is not a child of this node.'), { name: 'NotFoundError' });
let throwsLeft = 0;
const Moved: Screen = () => {
  if (throwsLeft-- > 0) throw moved();
  return <h1>fine</h1>;
};

test('a screen whose nodes another script has moved is mounted again and not replaced', async () => {
  throwsLeft = 3;
  const replaced: Error[] = [];
  const { loader } = loaderOf({
    load: async () => loadedAs('mfe-chat@2.0.0', Moved),
    replace: async (_, error) => Promise.reject(replaced.push(error)),
  });
  open(loader);
  expect(await screen.findByRole('heading', { name: 'fine' })).toBeVisible();
  expect(replaced).toEqual([]);
});

const Again: Screen = () => {
  const [, setCount] = useState(0);
  if (throwsLeft-- > 0) throw moved();
  return (
    <button type="button" onClick={() => setCount((count) => count + 1)}>
      again
    </button>
  );
};

test('counts how often a screen was mounted again only since the last input', async () => {
  // React renders twice before it gives up.
  throwsLeft = 16;
  const replaced: Error[] = [];
  const { loader } = loaderOf({
    load: async () => loadedAs('mfe-chat@2.0.0', Again),
    replace: async (_, error) => Promise.reject(replaced.push(error)),
  });
  open(loader);
  const button = await screen.findByRole('button', { name: 'again' });
  throwsLeft = 16;
  await userEvent.click(button);
  expect(await screen.findByRole('button', { name: 'again' })).toBeVisible();
  expect(throwsLeft).toBeLessThan(0);
  expect(replaced).toEqual([]);
});

test('a screen that always throws like this is replaced', async () => {
  throwsLeft = Number.POSITIVE_INFINITY;
  const { loader } = loaderOf({
    load: async () => loadedAs('mfe-chat@2.0.0', Moved),
    replace: async () => loadedAs('mfe-chat@1.0.0', Fine),
  });
  open(loader);
  expect(await screen.findByRole('heading', { name: 'fine' })).toBeVisible();
});
