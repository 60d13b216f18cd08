import { expect, test } from '@jest/globals';
import { notFound } from '../errors/errors.ts';
import type { Extractor } from '../files/extraction/create-extractor.ts';
import { createPredicting } from './predicting.ts';

test('a server that stops aborts reading, reports it, and leaves nothing behind', async () => {
  const steps: string[] = [];
  const begun = Promise.withResolvers<void>();
  const extract: Extractor['extract'] = (_path, _name, { signal }) =>
    new Promise((_resolve, reject) => {
      begun.resolve();
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  const predicting = createPredicting({
    extractor: { extract } as Partial<Extractor> as Extractor,
    asking: {} as never,
    storeFile: () => Promise.reject(new Error('nothing was read')),
    deleteFiles: {
      ofRecords: async () => {
        await Promise.resolve();
        steps.push('forgotten');
      },
    } as never,
    uploads: {} as never,
    contacts: { resolve: async () => null },
    summaries: { get: () => Promise.reject(notFound('conversation')) },
    guests: { ensureStored: async () => undefined, ownerNow: async (owner) => owner },
  });
  const file = { path: '/nowhere', name: 'a.txt', size: 1, hash: 'x' };
  const asked = predicting
    .predict('guest:1', 'en', { text: 'what is it about?' }, [file as never], {
      signal: new AbortController().signal,
      onProgress: () => undefined,
    })
    .catch((cause: unknown) => {
      steps.push('refused');
      return cause;
    });
  await begun.promise;

  await predicting.stop();

  expect(steps).toEqual(['forgotten', 'refused']);
  expect(await asked).toMatchObject({ status: 503, error: 'unavailable' });
});

test('a question in an unknown conversation is refused before any file is read', async () => {
  const predicting = createPredicting({
    extractor: { extract: () => Promise.reject(new Error('was read')) } as Partial<Extractor> as Extractor,
    asking: {} as never,
    storeFile: () => Promise.reject(new Error('was kept')),
    deleteFiles: {} as never,
    uploads: {} as never,
    contacts: { resolve: async () => null },
    summaries: { get: () => Promise.reject(notFound('conversation')) },
    guests: {
      ensureStored: () => Promise.reject(new Error('a guest was kept')),
      ownerNow: async (owner) => owner,
    },
  });
  const question = { text: 'what is it about?', conversationId: 'a'.repeat(24) };
  const file = { path: '/nowhere', name: 'a.txt', size: 1, hash: 'x' };
  await expect(
    predicting.predict('guest:1', 'en', question, [file as never], {
      signal: new AbortController().signal,
      onProgress: () => undefined,
    }),
  ).rejects.toMatchObject({ status: 404, error: 'not_found' });
});
