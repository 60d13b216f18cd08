import { expect, test } from '@jest/globals';
import screens from './routes.json' with { type: 'json' };
import { isRoot, PLACES, placeAt } from './routes.ts';

test.each(['/login', '/register', '/test', '/index', '/history', '/report'])('%s is open', (path) => {
  expect(placeAt(path)?.isGuarded).toBe(false);
});

test.each(['/account', '/knowledge'])('%s is guarded', (path) => {
  expect(placeAt(path)?.isGuarded).toBe(true);
});

test.each(['/nowhere', '/history/1', '/Index', '/__proto__', '/knowledge/1'])('%s is no place', (path) => {
  expect(placeAt(path)).toBeUndefined();
});

test('forgives a slash at the end', () => {
  expect(placeAt('/index/')?.name).toBe('index');
  expect(['', '/', '//'].every(isRoot)).toBe(true);
});

test('gives /login and /register one screen, so that the panels can slide', () => {
  expect(placeAt('/register')?.screen).toBe(placeAt('/login')?.screen);
});

test('names the screen of / as that of /index, for the preload hints', () => {
  expect(screens['/']).toBe(screens['/index']);
  expect(PLACES.map(({ screen }) => screen)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^mfe-[a-z]+\/\.\/[a-z]+$/)]),
  );
});

test('/composition is the host’s own, guarded, and no page’s preload hint', () => {
  expect(placeAt('/composition')).toMatchObject({
    screen: 'host/./composition',
    isGuarded: true,
    hasRail: true,
  });
  expect(Object.keys(screens)).not.toContain('/composition');
});
