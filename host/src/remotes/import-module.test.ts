import { afterEach, expect, jest, test } from '@jest/globals';
import { renewModule } from './import-module.ts';

const ENTRY = 'https://desk.example/releases/entry.js';

afterEach(() => {
  document.head.replaceChildren();
  jest.restoreAllMocks();
});

/** Renews the entry in a browser that supports module preloads, and returns the preload link. */
async function renew(end: 'load' | 'error') {
  jest.spyOn(DOMTokenList.prototype, 'supports').mockReturnValue(true);
  const fetched = jest.fn(async (_url: string, _options: RequestInit) => new Response(''));
  Object.assign(globalThis, { fetch: fetched });
  const renewed = renewModule(ENTRY);
  renewed.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve));
  const link = document.querySelector<HTMLLinkElement>('link[rel=modulepreload]')!;
  link.dispatchEvent(new Event(end));
  return { renewed, link, fetched };
}

test('a script that is loaded again has another address, and must be what was published', async () => {
  const map = document.createElement('script');
  map.type = 'importmap';
  map.textContent = JSON.stringify({ integrity: { [ENTRY]: 'sha384-published' } });
  document.head.append(map);
  const { renewed, link, fetched } = await renew('load');
  expect(await renewed).toMatch(/^https:\/\/desk\.example\/releases\/entry\.js#\d+$/);
  expect(link.href).toBe(await renewed);
  expect(link.integrity).toBe('sha384-published');
  expect(fetched.mock.calls).toEqual([[ENTRY, expect.objectContaining({ cache: 'reload' })]]);
});

test('a script that is not what was published is not imported', async () => {
  const { renewed } = await renew('error');
  await expect(renewed).rejects.toThrow(ENTRY);
  expect(document.querySelector('link')).toBeNull();
});
