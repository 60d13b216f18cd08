import { expect, test } from '@jest/globals';
import { createRouteTable, isRoot } from './routes.ts';
import { SAMPLE_ROUTES } from './testing/sample-routes.ts';

const table = createRouteTable(SAMPLE_ROUTES);

test.each(['/nowhere', '/history/1', '/Index', '/__proto__', '/knowledge/1', '/'])(
  '%s is no route',
  (path) => {
    expect(table.at(path)).toBeUndefined();
  },
);

test('accepts a trailing slash', () => {
  expect(table.at('/index/')?.screen).toBe('mfe-chat/./chat');
  expect(['', '/', '//'].every(isRoot)).toBe(true);
});

test('sorts the menu by order, whatever the order of the releases, and omits routes without an entry', () => {
  const { menu } = createRouteTable([...SAMPLE_ROUTES].reverse());
  expect(menu.map(({ path }) => path)).toEqual([
    '/index',
    '/history',
    '/report',
    '/contacts',
    '/knowledge',
    '/inbox',
    '/composition',
  ]);
});

test('shows a route that no release of this project declares like any other', () => {
  const tickets = {
    path: '/tickets/open',
    screen: 'mfe-tickets/./board',
    guard: 'session',
    title: { zh: '工单', en: 'Tickets' },
    menu: { icon: 'layers', order: 15 },
  } as const;
  const { at, menu } = createRouteTable([...SAMPLE_ROUTES, tickets]);
  expect(at('/tickets/open')).toBe(tickets);
  expect(menu.map(({ path }) => path).indexOf('/tickets/open')).toBe(1);
});
