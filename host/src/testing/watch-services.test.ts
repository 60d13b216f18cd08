import { expect, test } from '@jest/globals';
import { createStandInServices } from './stand-in-services.ts';
import { watchServices } from './watch-services.ts';

test('allowed services work normally, and their use is recorded', async () => {
  const { services, used } = watchServices(
    createStandInServices({ answers: { 'GET /api/things': () => 'here' } }).services,
    ['http', 'token$', 'i18n'],
  );

  expect((await services.http.get('/api/things')).data).toBe('here');
  expect(services.i18n.locale()).toBe('zh-CN');
  expect(services.token$.value).toBe('');
  expect([...used]).toEqual(['http', 'i18n', 'token$']);
});

test('refuses services that are not listed, and those outside of the contract', () => {
  const { services, refused } = watchServices(createStandInServices().services, ['http']);

  expect(() => services.toasts).toThrow('services.toasts');
  expect(() => (services.http as unknown as { head: unknown }).head).toThrow('services.http.head');
  expect(refused).toEqual(['services.toasts', 'services.http.head']);
});
