import { expect, test } from '@jest/globals';
import { QueryObserver } from '@tanstack/react-query';
import { createQueryClient } from './queries.ts';

test('what is being read for the first time is read again after a change', async () => {
  const client = createQueryClient();
  const first = Promise.withResolvers<string>();
  let reads = 0;
  const queryFn = async () => {
    reads += 1;
    return reads === 1 ? first.promise : 'after the change';
  };
  const observer = new QueryObserver(client, { queryKey: ['list'], queryFn });
  const seen: unknown[] = [];
  const stop = observer.subscribe(({ status, data }) => seen.push(data ?? status));
  const changed = client.invalidateQueries({ queryKey: ['list'] });
  await Promise.resolve();
  first.resolve('before the change');
  await changed;
  expect(observer.getCurrentResult().data).toBe('after the change');
  expect(seen).not.toContain('before the change');
  expect(seen).not.toContain('error');
  stop();
});
