import { expect, test } from '@jest/globals';
import { createStandInServices } from 'host/stand-ins';
import { createDrafts } from './drafts.ts';

function setUp(kept = new Map<string, string>(), owner = 'guest') {
  const { services } = createStandInServices({ kept, owner });
  return { drafts: createDrafts(services.storage), kept };
}

test('stores a draft per conversation that survives a reload', () => {
  const { drafts, kept } = setUp();
  drafts.write('c1', 'first');
  drafts.write(null, 'new one');

  const { drafts: reloaded } = setUp(kept);

  expect([reloaded.read('c1'), reloaded.read(null), reloaded.read('c2')]).toEqual(['first', 'new one', '']);
});

test('stores drafts by owner', () => {
  const { drafts, kept } = setUp(new Map(), 'user:1');
  drafts.write(null, 'mine');
  expect(setUp(kept, 'guest').drafts.read(null)).toBe('');
  expect(setUp(kept, 'user:1').drafts.read(null)).toBe('mine');
});

test('removes the stored entry of an empty draft', () => {
  const { drafts, kept } = setUp();
  drafts.write('c1', 'x');
  drafts.write('c1', '');
  expect(kept.size).toBe(0);
});

test('moves the draft of a new conversation to its id', () => {
  const { drafts } = setUp();
  drafts.write(null, 'next question');
  drafts.adopt('c1');
  expect([drafts.read('c1'), drafts.read(null)]).toEqual(['next question', '']);
});

test('puts returned text before the text typed since', () => {
  const { drafts } = setUp();
  const question = { clientId: 'k', conversationId: 'c1', text: 'lost', at: 0 };
  const changed: unknown[] = [];
  drafts.changed$.subscribe((id) => changed.push(id));
  drafts.savePending(question);
  drafts.write('c1', 'typed');
  drafts.putBack(question);
  expect(drafts.read('c1')).toBe('lost\ntyped');
  expect(drafts.pending()).toEqual([]);
  expect(changed).toEqual(['c1']);
});
