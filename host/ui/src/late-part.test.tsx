import { afterEach, expect, jest, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { PartBoundary } from './error-boundary.tsx';
import { createLatePart, Late, type LatePart, PartServices, useLatePart } from './late-part.tsx';

type Text = () => string;

function Optional({ part, onFailed }: { part: LatePart<Text>; onFailed?(): void }) {
  return (
    <PartBoundary fallback={<p>thrown</p>}>
      <Late part={part} loading={<p>loading</p>} failed={<p>failed</p>} {...(onFailed && { onFailed })}>
        {(Loaded) => <Loaded />}
      </Late>
    </PartBoundary>
  );
}

/** Throws a final failure of the part, as a screen does that needs it. */
function Required({ part }: { part: LatePart<Text> }) {
  const { part: Loaded, failure } = useLatePart(part);
  if (Loaded) return <Loaded />;
  return <p>{failure?.isFinal ? `given up: ${failure.error}` : 'waiting'}</p>;
}

/** A part; `answers` are the results of successive load attempts. */
function partOf(...answers: (Text | Error)[]) {
  const attempts: number[] = [];
  const part = createLatePart(async () => {
    const answer = answers[attempts.push(Date.now()) - 1];
    if (answer instanceof Error || !answer) throw answer;
    return answer;
  });
  return { part, attempts };
}

async function show(view: React.ReactNode, retry?: Promise<void>) {
  const reported: unknown[] = [];
  const report = (error: unknown) => {
    reported.push(error);
    return retry;
  };
  const wrapped = (content: React.ReactNode) => <PartServices value={{ report }}>{content}</PartServices>;
  const { rerender, unmount } = render(wrapped(view), { onCaughtError: () => undefined });
  await act(async () => undefined);
  return { reported, unmount, rerender: (content: React.ReactNode) => rerender(wrapped(content)) };
}

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('reports a part that fails to load, and shows it when a retry succeeds', async () => {
  const retry = Promise.withResolvers<void>();
  const error = new Error('no such file');
  const onFailed = jest.fn();
  const { part, attempts } = partOf(error, () => 'here');

  const { reported } = await show(<Optional part={part} onFailed={onFailed} />, retry.promise);
  expect(screen.getByText('failed')).toBeInTheDocument();
  expect(reported).toEqual([error]);
  expect(onFailed).toHaveBeenCalledTimes(1);
  expect(attempts).toHaveLength(1);
  await act(async () => retry.resolve());

  expect(screen.getByText('here')).toBeInTheDocument();
});

test('keeps waiting for a required part while the host offers a retry', async () => {
  const retry = Promise.withResolvers<void>();
  const { part } = partOf(new Error('no such file'), () => 'here');

  await show(<Required part={part} />, retry.promise);
  expect(screen.getByText('waiting')).toBeInTheDocument();
  await act(async () => retry.resolve());

  expect(screen.getByText('here')).toBeInTheDocument();
});

test('loads a part once more after a second when the host offers no retry, then gives up', async () => {
  jest.useFakeTimers();
  const { part, attempts } = partOf(new Error('first'), new Error('second'));

  await show(<Required part={part} />);
  await pass(900);
  expect(screen.getByText('waiting')).toBeInTheDocument();
  await pass(200);

  expect(screen.getByText('given up: Error: second')).toBeInTheDocument();
  await pass(60_000);
  expect(attempts).toHaveLength(2);
});

test('shows a part that loads at the second attempt', async () => {
  jest.useFakeTimers();
  const { part } = partOf(new Error('first'), () => 'here');

  await show(<Required part={part} />);
  await pass(1100);

  expect(screen.getByText('here')).toBeInTheDocument();
});

test('waits for the connection when offline', async () => {
  jest.useFakeTimers();
  const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { part, attempts } = partOf(new Error('first'), () => 'here');

  await show(<Required part={part} />);
  await pass(60_000);
  expect(screen.getByText('waiting')).toBeInTheDocument();
  expect(attempts).toHaveLength(1);
  online.mockReturnValue(true);
  await act(async () => {
    window.dispatchEvent(new Event('online'));
  });

  expect(screen.getByText('here')).toBeInTheDocument();
});

test('stops loading after unmounting', async () => {
  jest.useFakeTimers();
  const { part, attempts } = partOf(new Error('first'), () => 'here');

  const { unmount } = await show(<Required part={part} />);
  unmount();
  await pass(5000);

  expect(attempts).toHaveLength(1);
});

test('does not load again when the visitor retries after unmounting', async () => {
  const retry = Promise.withResolvers<void>();
  const { part, attempts } = partOf(new Error('no such file'), () => 'here');

  const { unmount } = await show(<Optional part={part} />, retry.promise);
  unmount();
  await act(async () => retry.resolve());

  expect(attempts).toHaveLength(1);
});

test('shows a loaded part at once', async () => {
  const { part } = partOf(() => 'here');
  await part.load();
  render(<Optional part={part} />);
  expect(screen.getByText('here')).toBeInTheDocument();
});

test('does not show a loaded part instead of another one that is still loading', async () => {
  const { part: first } = partOf(() => 'first');
  const second = createLatePart(() => new Promise<Text>(() => undefined));

  const { rerender } = await show(<Optional part={first} />);
  rerender(<Optional part={second} />);

  expect(screen.getByText('loading')).toBeInTheDocument();
});

test('reports a part that throws while rendering, and the screen stays', async () => {
  const error = new Error('at render');
  const { part } = partOf(() => {
    throw error;
  });
  const { reported } = await show(<Optional part={part} />);
  expect(screen.getByText('thrown')).toBeInTheDocument();
  expect(reported).toEqual([error]);
});

test('loads its texts together with the part, and fails without them', async () => {
  const texts = { files: [] };
  const part = createLatePart(async () => 'part', texts);
  const loaded: unknown[] = [];
  await expect(part.load({ load: () => Promise.reject(new Error('no texts')) })).rejects.toThrow('no texts');
  expect(part.loaded()).toBeUndefined();
  await part.load({ load: async (one) => void loaded.push(one) });
  expect(loaded).toEqual([texts]);
  expect(part.loaded()).toBe('part');
});
