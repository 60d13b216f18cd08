import { expect, test } from '@jest/globals';
import { createId } from './create-id.ts';

test('creates a different id every time', () => {
  expect(createId()).toMatch(/^[0-9a-f]{32}$/);
  expect(createId()).not.toBe(createId());
});
