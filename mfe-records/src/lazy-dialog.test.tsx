import { expect, test } from '@jest/globals';
import { render, waitFor } from '@testing-library/react';
import { LazyDialog } from './lazy-dialog.tsx';

test('reports why a dialog could not be loaded', async () => {
  const error = new Error('no such file');
  const load = () => Promise.reject(error);
  const failures: unknown[] = [];
  render(<LazyDialog load={load} dialog={{}} onFailed={(reason) => failures.push(reason)} />);
  await waitFor(() => expect(failures).toEqual([error]));
});
