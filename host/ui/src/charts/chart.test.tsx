import { expect, test } from '@jest/globals';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { PartServices } from '../late-part.tsx';
import { barCharts, Chart } from './chart.tsx';
import { scaleFor } from './scale.ts';

const texts = {
  showTable: 'Show table',
  showChart: 'Show chart',
  showTableOf: 'Show table: Questions',
  showChartOf: 'Show chart: Questions',
  tableOf: 'Table: Questions',
  failed: 'Please see the table.',
};

async function show(props: Partial<ComponentProps<typeof Chart>> = {}) {
  const reported: unknown[] = [];
  const report = (error: unknown) => {
    reported.push(error);
    return undefined;
  };
  const view = render(
    <PartServices value={{ report }}>
      <Chart
        title="Questions"
        texts={texts}
        summary="Monday 3, Tuesday 5"
        height={100}
        head={['Day', 'Count']}
        rows={[
          { key: 'mo', cells: ['Monday', 3] },
          { key: 'tu', cells: ['Tuesday', 5] },
        ]}
        draw={(_, width) => <p>drawn {width} px wide</p>}
        {...props}
      />
    </PartServices>,
    { onCaughtError: () => undefined },
  );
  await act(async () => void (await barCharts.load()));
  return { ...view, reported };
}

test('is a picture with a summary, and a table on request', async () => {
  const user = userEvent.setup();
  await show();
  expect(screen.getByRole('region', { name: 'Questions' })).toBeVisible();
  expect(screen.getByRole('img', { name: 'Monday 3, Tuesday 5' })).toHaveTextContent('drawn 640 px wide');

  await user.click(screen.getByRole('button', { name: 'Show table: Questions' }));
  const table = within(screen.getByRole('region', { name: 'Table: Questions' })).getByRole('table');
  expect(within(table).getByRole('row', { name: 'Tuesday 5' })).toBeVisible();
  expect(screen.queryByRole('img')).toBeNull();

  await user.click(screen.getByRole('button', { name: 'Show chart: Questions' }));
  expect(screen.getByRole('img')).toBeVisible();
});

test('is never narrower than its minimum width', async () => {
  await show({ minWidth: 900 });
  expect(screen.getByRole('img')).toHaveTextContent('drawn 900 px wide');
  expect(screen.getByRole('group', { name: 'Questions' })).toHaveAttribute('tabindex', '0');
});

test('refers to the table if drawing throws, and reports the error', async () => {
  const error = new Error('no such scale');
  const { reported } = await show({
    draw: () => {
      throw error;
    },
  });
  expect(screen.getByText('Please see the table.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Show table: Questions' })).toBeVisible();
  expect(reported).toEqual([error]);
});

test('offers no table if there is no data', async () => {
  await show({ empty: <p>No data yet</p> });
  expect(screen.getByText('No data yet')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.queryByRole('img')).toBeNull();
});

test.each([
  [0, 3, [0, 1]],
  [3, 3, [0, 1, 2, 3]],
  [42, 3, [0, 20, 40, 60]],
  [42, 2, [0, 50]],
  [1, 2, [0, 1]],
  [12_345, 2, [0, 10_000, 20_000]],
])('grid lines up to %d in about %d steps: %j', (most, steps, lines) => {
  expect(scaleFor(most, steps)).toEqual(lines);
});
