import { expect, test } from '@jest/globals';
import { openStandard } from './standard-release.ts';

const release = (container: string, chunks?: string) => ({
  version: '1.0.0',
  entry: '/chatbot/releases/mfe-tickets/1.0.0/remoteEntry.js',
  container,
  standard: {
    type: 'script' as const,
    base: '/chatbot/releases/mfe-tickets/1.0.0/',
    ...(chunks ? { chunks } : {}),
  },
});

test.each([
  ['location', undefined],
  ['name', undefined],
  ['tickets', 'navigator'],
])('a build that would overwrite a variable of the page is not run: %s, %s', async (container, chunks) => {
  const before = location.href;
  await expect(openStandard(release(container, chunks), window)).rejects.toThrow('belongs to the page');
  expect(location.href).toBe(before);
  expect(document.querySelector('script')).toBeNull();
});

test('style sheets of the desk are loaded in the mode of their preload links, others with CORS', async () => {
  await openStandard(release('location'), window).catch(() => undefined);
  const crossOrigins = ['/chatbot/releases/mfe-tickets/1.0.0/a.css', 'https://cdn.example/a.css'].map(
    (href) => {
      // Created as the loader of Vite does.
      const link = Object.assign(document.createElement('link'), {
        rel: 'stylesheet',
        crossOrigin: '',
        href,
      });
      document.head.appendChild(link);
      return link.getAttribute('crossorigin');
    },
  );
  expect(crossOrigins).toEqual([null, '']);
});
