import { expect, test } from '@jest/globals';
import { addressKey } from './limit-requests.ts';

test.each([
  ['192.0.2.7', 'address 192.0.2.7'],
  ['::ffff:192.0.2.7', 'address 192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', 'address 2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', 'address 2001:db8:1:2'],
  ['2001:db8::9', 'address 2001:db8:0:0'],
  ['::1', 'address 0:0:0:0'],
  ['fe80::1%eth0', 'address fe80:0:0:0'],
  ['192.0.2.7:50123', 'address 192.0.2.7'],
  ['[2001:db8:1:2:3::9]:50123', 'address 2001:db8:1:2'],
  ['[2001:db8:1:2:3::9]', 'address 2001:db8:1:2'],
])('%s is counted as %s', (ip, key) => {
  expect(addressKey(ip)).toBe(key);
});
