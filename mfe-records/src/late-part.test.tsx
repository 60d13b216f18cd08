import { expect, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { createLatePart, ErrorReport, type LatePart, PartBoundary, useLatePart } from './late-part.tsx';

function Part({ late }: { late: LatePart<() => string> }) {
  const { part: Drawing, isBroken } = useLatePart(late);
  if (isBroken) return <p>broken</p>;
  return <PartBoundary fallback={<p>thrown</p>}>{Drawing ? <Drawing /> : <p>waiting</p>}</PartBoundary>;
}

/** Renders a lazy part; `answers` are the results of successive load attempts. */
async function open(...answers: ((() => string) | Error)[]) {
  const reported: unknown[] = [];
  const retry = Promise.withResolvers<void>();
  const late = createLatePart(async () => {
    const answer = answers.shift();
    if (answer instanceof Error || !answer) throw answer;
    return answer;
  });
  const report = (error: unknown) => {
    reported.push(error);
    return retry.promise;
  };
  render(
    <ErrorReport value={report}>
      <Part late={late} />
    </ErrorReport>,
    { onCaughtError: () => undefined },
  );
  await act(async () => undefined);
  return { reported, retry };
}

test('reports a part that fails to load or run, and loads it on retry', async () => {
  const error = new Error('threw while it was loaded');
  const { reported, retry } = await open(error, () => 'drawn');
  expect(screen.getByText('broken')).toBeInTheDocument();
  expect(reported).toEqual([error]);
  await act(async () => retry.resolve());
  expect(screen.getByText('drawn')).toBeInTheDocument();
});

test('reports a part that throws while rendering, and the screen stays', async () => {
  const error = new Error('at render');
  const { reported } = await open(() => {
    throw error;
  });
  expect(screen.getByText('thrown')).toBeInTheDocument();
  expect(reported).toEqual([error]);
});
