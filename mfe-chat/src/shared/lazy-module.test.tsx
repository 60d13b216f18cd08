import { afterEach, expect, jest, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { Component, type ReactNode } from 'react';
import { createLazyModule, type LazyModule, reportLoadFailures } from './lazy-module.ts';

/** The host's error boundary: shows the error that a screen threw. */
class Boundary extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};
  static getDerivedStateFromError(error: Error) {
    return { error };
  }
  override render() {
    return this.state.error ? <p>threw {this.state.error.message}</p> : this.props.children;
  }
}

function Screen({ needed }: { needed: LazyModule<string | undefined> }) {
  return <p>{needed.useNeeded() ?? 'waiting'}</p>;
}

/** Renders a screen that requires a module; `answers` are the results of successive load attempts. */
function open(answers: (string | Error)[]) {
  const tries: number[] = [];
  const needed = createLazyModule(async () => {
    const answer = answers[tries.push(Date.now()) - 1];
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const view = render(<Screen needed={needed} />, {
    wrapper: Boundary,
    onCaughtError: () => undefined,
  });
  return { ...view, tries };
}

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  reportLoadFailures(() => undefined);
});

test('loads a required module twice before it throws', async () => {
  jest.useFakeTimers();
  const { tries } = open([new Error('first'), new Error('second')]);

  await pass(900);
  expect(screen.getByText('waiting')).toBeInTheDocument();
  await pass(200);

  expect(screen.getByText('threw second')).toBeInTheDocument();
  expect(tries).toHaveLength(2);
});

test('shows a module that loads at the second attempt', async () => {
  jest.useFakeTimers();
  open([new Error('first'), 'here']);

  await pass(1100);

  expect(screen.getByText('here')).toBeInTheDocument();
});

test('waits for the connection when offline instead of throwing', async () => {
  jest.useFakeTimers();
  const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { tries } = open([new Error('first'), 'here']);

  await pass(60_000);
  expect(screen.getByText('waiting')).toBeInTheDocument();
  expect(tries).toHaveLength(1);
  online.mockReturnValue(true);
  await act(async () => {
    window.dispatchEvent(new Event('online'));
  });

  expect(screen.getByText('here')).toBeInTheDocument();
});

test('reports a module that cannot be loaded', async () => {
  const reported: unknown[] = [];
  reportLoadFailures((error) => {
    reported.push(error);
    return undefined;
  });
  const error = new Error('no such file');
  const needed = createLazyModule(() => Promise.reject(error));
  await expect(needed.load()).rejects.toBe(error);
  expect(reported).toEqual([error]);
});

test('stops loading after unmounting', async () => {
  jest.useFakeTimers();
  const { tries, unmount } = open([new Error('first'), 'here']);

  await pass(100);
  unmount();
  await pass(5000);

  expect(tries).toHaveLength(1);
});

function Simple({ part }: { part: LazyModule<string> }) {
  return <p>{part.useModule() ?? 'simple'}</p>;
}

test.each([
  ['needed', 'waiting', (part: LazyModule<string>) => <Screen needed={part} />],
  ['optional', 'simple', (part: LazyModule<string>) => <Simple part={part} />],
])("a %s part is loaded again by the host's retry without throwing", async (_, meanwhile, view) => {
  const retry = Promise.withResolvers<void>();
  reportLoadFailures(() => retry.promise);
  const answers = [new Error('no such file'), 'here'];
  let tries = 0;
  const part = createLazyModule(async () => {
    const answer = answers[tries++];
    if (answer instanceof Error) throw answer;
    return answer as string;
  });
  render(view(part), { wrapper: Boundary });
  await act(async () => undefined);
  expect(screen.getByText(meanwhile)).toBeInTheDocument();
  expect(tries).toBe(1);
  await act(async () => retry.resolve());
  expect(screen.getByText('here')).toBeInTheDocument();
});
