import { expect, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { createStandInServices } from 'host/stand-ins';
import { sampleDocument } from '../../testing/sample-knowledge.ts';
import { uploadsOf } from './upload-queue.ts';

/** The queue of a page whose server responds when the test says so. */
function open() {
  const response = Promise.withResolvers<unknown>();
  const standIns = createStandInServices({ username: 'anna', answers: () => response.promise });
  const queue = uploadsOf(standIns.services);
  const steps = () => queue.uploads$.value.map(({ name, step }) => `${name} ${step.status}`);
  const arrive = () => response.resolve({ document: sampleDocument({ status: 'indexing' }) });
  return { ...standIns, queue, steps, arrive };
}

const file = (name: string) => new File(['text'], name);

test('a page has one queue, also after the screen was left', () => {
  const { services, queue } = open();
  expect(uploadsOf(services)).toBe(queue);
  expect(uploadsOf(createStandInServices().services)).not.toBe(queue);
});

test('another owner does not see the uploads of the previous one, which are cancelled', async () => {
  const { queue, calls, owner$, steps } = open();
  queue.add([file('a'), file('b'), file('c')]);
  expect(steps()).toEqual(['a sending', 'b sending', 'c waiting']);

  owner$.next('user:bo');

  expect(steps()).toEqual([]);
  expect(calls.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(false);
});

test('hides the hint of a new version while files are being sent', async () => {
  const { queue, isHeld$, steps, arrive } = open();
  expect(isHeld$.value).toBe(false);
  queue.add([file('a')]);
  expect(isHeld$.value).toBe(true);
  arrive();
  await waitFor(() => expect(steps()).toEqual(['a done']));
  expect(isHeld$.value).toBe(false);

  queue.add([file('b')]);
  expect(isHeld$.value).toBe(true);
  queue.clear();
  expect(isHeld$.value).toBe(false);
});
