import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { watchBlank } from './watch-blank.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

function open(content = '') {
  const frame = document.createElement('div');
  frame.innerHTML = content;
  const onBlank = jest.fn();
  return { frame, onBlank, stop: watchBlank(frame, onBlank) };
}

test('a screen without content for 5 s is blank, whatever scripts, styles and host controls it has', async () => {
  const { onBlank, stop } = open(
    '<main> <style>p { color: red }</style><script>1</script><div data-controls><button>menu</button></div></main>',
  );
  await jest.advanceTimersByTimeAsync(4_999);
  expect(onBlank).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  expect(onBlank).toHaveBeenCalledTimes(1);
  stop();
});

test('while the browser is offline a screen may wait for the network', async () => {
  const isOnline = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { onBlank, stop } = open();
  await jest.advanceTimersByTimeAsync(15_000);
  expect(onBlank).not.toHaveBeenCalled();
  isOnline.mockReturnValue(true);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(onBlank).toHaveBeenCalledTimes(1);
  stop();
});

test('a new root element has its own 5 s, and a screen that was left none', async () => {
  const { frame, onBlank, stop } = open();
  await jest.advanceTimersByTimeAsync(4_000);
  frame.replaceChildren(document.createElement('main'));
  await jest.advanceTimersByTimeAsync(4_000);
  expect(onBlank).not.toHaveBeenCalled();
  stop();
  expect(jest.getTimerCount()).toBe(0);
  frame.replaceChildren();
  await jest.advanceTimersByTimeAsync(20_000);
  expect(onBlank).not.toHaveBeenCalled();
});
