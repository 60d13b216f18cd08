import type { PointerInfo } from '../../api/src/contract/compositions.ts';
import { call } from './deploy.ts';
import { test as base, expect, HINT, PREVIOUS_HINT, PREVIOUS_VERSION } from './desk-test.ts';

export { expect, HINT, PREVIOUS_HINT, PREVIOUS_VERSION };

/** For tests that deploy to the desk: restores the live composition after each test. */
export const test = base.extend<{ livePointer: undefined }>({
  livePointer: [
    async ({ desk }, use) => {
      const before = await call<PointerInfo>(desk, 'GET', '/ops/pointer');
      await use(undefined);
      const after = await call<PointerInfo>(desk, 'GET', '/ops/pointer');
      const { id } = before.composition;
      if (after.composition.id === id) return;
      await call(desk, 'POST', '/ops/pointer', { composition: id, author: 'e2e', reason: 'test ended' });
    },
    { auto: true },
  ],
});
