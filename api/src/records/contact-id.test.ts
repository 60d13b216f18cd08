import { expect, test } from '@jest/globals';
import { contactId } from './contact-id.ts';

test.each([
  ['+86 138-0013-8000', '13800138000'],
  ['0086 138 0013 8000', '13800138000'],
  ['１３８００１３８０００', '13800138000'],
  ['13800138000', '13800138000'],
  ['+86 10 6552 9988', '+861065529988'],
  ['+1 415-555-2671', '+14155552671'],
  ['400–820–8820', '4008208820'],
  [' Ann.Lee@Example.COM ', 'ann.lee@example.com'],
  ['  张　三  ', '张 三'],
  ['Room 12-3', 'Room 12-3'],
  ['12-3', '12-3'],
  ['', ''],
  ['   ', ''],
])('normalises %j to %j', (written, id) => {
  expect(contactId(written)).toBe(id);
});
