import { expect, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import type { GoldenResult, KnowledgeCheck } from 'api/contract/knowledge';
import { failure } from 'host/stand-ins';
import { useCheckedSave } from './use-checked-save.ts';

const result = (passes: boolean): GoldenResult => ({ outcome: 'nothing', cited: [], passes });
const found = (before: boolean, after: boolean): KnowledgeCheck => ({
  checked: 1,
  isPartial: false,
  changed: [],
  goldenChecked: 1,
  golden: [{ question: 'q', before: result(before), after: result(after) }],
});

function open(check: (signal: AbortSignal) => Promise<KnowledgeCheck>) {
  let saved = 0;
  const refused: string[] = [];
  const hook = renderHook(
    (subject) =>
      useCheckedSave({
        subject,
        check,
        save: async () => {
          saved += 1;
        },
        onRefused: ({ error }, by) => refused.push(`${error} ${by}`),
      }),
    { initialProps: 'first text' },
  );
  const begin = () => act(() => hook.result.current.begin());
  return { ...hook, begin, refused, saved: () => saved, step: () => hook.result.current.step.status };
}

test.each([
  ['fails as before', false, false, 1],
  ['is answered better', false, true, 1],
  ['is answered as before', true, true, 1],
  ['is answered worse', true, false, 0],
])('a golden question that %s', async (_, before, after, saves) => {
  const { begin, saved, step, result: hook } = open(async () => found(before, after));
  await begin();
  expect([saved(), step()]).toEqual([saves, saves ? 'idle' : 'asking']);
  await act(() => hook.current.goOn());
  expect(saved()).toBe(saves + 1);
});

test.each([
  [409, 'failed'],
  [413, 'failed'],
  [503, 'unchecked'],
])('a check that fails with %d: %s', async (status, expected) => {
  const { begin, saved, step, refused } = open(async () => {
    throw failure(status, 'no', 'refused');
  });
  await begin();
  expect([saved(), step(), refused]).toEqual([0, expected, expected === 'failed' ? ['no check'] : []]);
});

test('leaving cancels the check, and nothing is saved', async () => {
  let signal: AbortSignal | undefined;
  const held = Promise.withResolvers<never>();
  const { begin, saved, unmount, refused } = open((given) => {
    signal = given;
    return held.promise;
  });
  const done = begin();
  unmount();
  expect(signal?.aborted).toBe(true);
  held.reject(failure(409, 'no', 'refused'));
  await done;
  expect([saved(), refused]).toEqual([0, []]);
});

test('text that is changed during the check is not saved as it was before', async () => {
  const checks: PromiseWithResolvers<KnowledgeCheck>[] = [];
  const {
    result: hook,
    begin,
    saved,
    step,
    rerender,
  } = open(() => {
    checks.push(Promise.withResolvers());
    return checks.at(-1)!.promise;
  });
  act(() => void hook.current.begin());
  expect(step()).toBe('checking');
  rerender('second text');
  expect(step()).toBe('idle');
  await act(async () => checks[0]!.resolve(found(true, true)));
  expect([saved(), step()]).toEqual([0, 'idle']);

  const second = begin();
  checks[1]!.resolve(found(true, true));
  await second;
  expect(saved()).toBe(1);
});
