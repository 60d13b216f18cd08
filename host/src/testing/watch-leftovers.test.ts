import { afterEach, expect, test } from '@jest/globals';
import { BehaviorSubject, map, skip } from 'rxjs';
import { type LeftoverWatch, watchLeftovers } from './watch-leftovers.ts';

const owner$ = new BehaviorSubject('anna');
let watch: LeftoverWatch;
const begin = () => {
  const streams = { owner$: owner$.pipe(skip(1)) };
  watch = watchLeftovers(window, streams);
  return streams;
};
afterEach(() => {
  watch.stop();
  document.body.replaceChildren();
});
const NOTHING = { listeners: [], timers: [], subscriptions: [], elements: [] };
const ignore = () => undefined;

test('lists what was started and not ended', () => {
  document.body.append(document.createElement('p'));
  const { owner$ } = begin();
  window.addEventListener('resize', ignore);
  document.addEventListener('keydown', ignore, { capture: true });
  const timeout = setTimeout(ignore, 60_000);
  const interval = setInterval(ignore, 60_000);
  const frame = requestAnimationFrame(ignore);
  const direct = owner$.subscribe(ignore);
  const derived = owner$.pipe(map((name) => name.length)).subscribe(ignore);
  const veil = document.createElement('div');
  veil.className = 'veil';
  document.body.append(veil);

  expect(watch.leftovers()).toEqual({
    listeners: ['window resize', 'document keydown'],
    timers: ['setTimeout 60000', 'setInterval 60000', 'requestAnimationFrame'],
    subscriptions: ['owner$', 'owner$'],
    elements: ['div.veil'],
  });

  window.removeEventListener('resize', ignore);
  document.removeEventListener('keydown', ignore);
  expect(watch.leftovers().listeners).toEqual(['document keydown']);
  document.removeEventListener('keydown', ignore, true);
  clearTimeout(timeout);
  clearInterval(interval);
  cancelAnimationFrame(frame);
  direct.unsubscribe();
  derived.unsubscribe();
  veil.remove();
  expect(watch.leftovers()).toEqual(NOTHING);
});

test('does not list what ends by itself', async () => {
  begin();
  const ending = new AbortController();
  window.addEventListener('resize', ignore, { signal: ending.signal });
  window.addEventListener('focus', ignore, { once: true });
  expect(watch.leftovers().listeners).toHaveLength(2);

  ending.abort();
  window.dispatchEvent(new Event('focus'));
  await new Promise((resolve) => {
    setTimeout(resolve, 1);
  });
  await new Promise((resolve) => {
    requestAnimationFrame(resolve);
  });

  expect(watch.leftovers()).toEqual(NOTHING);
});

test('listeners, timers and streams still work', async () => {
  const { owner$: later$ } = begin();
  const heard: unknown[] = [];
  window.addEventListener('resize', ({ type }) => heard.push(type), { once: true });
  window.dispatchEvent(new Event('resize'));
  window.dispatchEvent(new Event('resize'));
  await new Promise<void>((resolve) => {
    setTimeout(
      (word: string) => {
        heard.push(word);
        resolve();
      },
      0,
      'timeout',
    );
  });
  later$.subscribe((name) => heard.push(name)).add(ignore);
  owner$.next('bert');

  expect(heard).toEqual(['resize', 'timeout', 'bert']);
});
