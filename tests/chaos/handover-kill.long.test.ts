import { expect, test } from '@jest/globals';
import type { Handover, HandoverList, InboxDetail, InboxPage } from '../../api/src/contract/handover.ts';
import type { ConversationPage } from '../../api/src/contract/records.ts';
import { createVisitor, type Visitor } from '../../api/src/testing/visitor.ts';
import { type Desk, startDesk, temporaryDataDir } from '../start-desk.ts';

const kills = 5;
const visitors = 6;
/** Messages that each side writes until the next kill; it never gets to the end. */
const messages = 60;

test('a kill -9 while visitors ask and agents reply loses no message that was sent, and repeating sends none twice', async () => {
  const { dataDir, remove } = await temporaryDataDir();
  const start = () => startDesk({ dataDir, isApiAlone: true });
  let desk: Desk = await start();
  const newVisitor = () => createVisitor(() => desk.url);
  const agent = newVisitor();
  await agent.signUp('agent', 'long enough');
  let open = 0;

  try {
    for (let round = 0; round < kills; round += 1) {
      const asking = Array.from({ length: visitors }, (_, who) => ({
        visitor: newVisitor(),
        question: `Question ${round}-${who}`,
      }));
      // The first answer creates the guest, so that repeated requests come from the same one.
      for (const { visitor } of asking) await visitor.call('GET', '/api/conversations');
      let acknowledged = 0;
      const enough = Promise.withResolvers<void>();
      const sent = new Map<Visitor, string[]>();
      const writing = asking.map(async ({ visitor, question }) => {
        const texts: string[] = [];
        sent.set(visitor, texts);
        const asked = await ask(visitor, question).catch(() => null);
        if (!asked) return;
        for (let count = 0; count < messages; count += 1) {
          const from = count % 2 === 0 ? agent : visitor;
          const text = `${question}: ${count}`;
          if (!(await write(from, from === agent, asked.id, text).catch(() => false))) return;
          texts.push(text);
          acknowledged += 1;
          if (acknowledged === 5 * visitors) enough.resolve();
        }
      });
      const asker = newVisitor();
      await asker.call('GET', '/api/conversations');
      const asked: string[] = [];
      const askingMore = (async () => {
        for (;;) {
          asked.push(`One more ${round}-${asked.length}`);
          if (!(await ask(asker, asked.at(-1)!).catch(() => null))) return;
        }
      })();
      await enough.promise;
      await desk.kill();
      await Promise.all([...writing, askingMore]);
      expect(acknowledged).toBeLessThan(visitors * messages);
      desk = await start();

      const conversations = new Set<string>();
      for (const question of asked) conversations.add((await ask(asker, question)).conversationId);
      const all = await asker.call<ConversationPage>('GET', '/api/conversations?limit=100');
      expect(new Set(all.body.conversations.map(({ id }) => id))).toEqual(conversations);
      expect(conversations.size).toBe(asked.length);
      open += visitors + asked.length;

      for (const { visitor, question } of asking) {
        const asked = await ask(visitor, question);
        const before = await textsOf(visitor, asked);
        const acknowledgedTexts = sent.get(visitor)!;
        expect(before.slice(0, acknowledgedTexts.length)).toEqual(acknowledgedTexts);
        // At most the message that was being sent is stored without an acknowledgement.
        expect(before.length).toBeLessThanOrEqual(acknowledgedTexts.length + 1);

        const next = acknowledgedTexts.length;
        const text = `${question}: ${next}`;
        const from = next % 2 === 0 ? agent : visitor;
        for (let repeated = 0; repeated < 2; repeated += 1)
          expect(await write(from, from === agent, asked.id, text)).toBe(true);
        expect(await textsOf(visitor, asked)).toEqual([...acknowledgedTexts, text]);

        const { body } = await visitor.call<ConversationPage>('GET', '/api/conversations');
        expect(body.conversations.map(({ id }) => id)).toEqual([asked.conversationId]);
        const { body: detail } = await agent.call<InboxDetail>('GET', `/api/inbox/${asked.id}`);
        expect(detail).toMatchObject({
          agent: 'agent',
          handover: { state: from === agent ? 'answered' : 'assigned' },
        });
        if (from === agent)
          expect(body.conversations[0]!.updatedAt >= detail.handover.messages.at(-1)!.createdAt).toBe(true);
      }
    }
    const { body } = await agent.call<InboxPage>('GET', '/api/inbox');
    expect(body.open).toBe(open);
  } finally {
    await desk.kill();
    await remove();
  }
});

async function ask(visitor: Visitor, question: string): Promise<Handover> {
  const request = { question, clientId: `asks ${question}` };
  const { status, body } = await visitor.call<Handover>('POST', '/api/handovers', request);
  if (status !== 201 && status !== 200) throw new Error(`POST /api/handovers: ${status}`);
  return body;
}

async function write(from: Visitor, isAgent: boolean, id: string, text: string): Promise<boolean> {
  const path = `/api/${isAgent ? 'inbox' : 'handovers'}/${id}/messages`;
  const { status } = await from.call('POST', path, { text, clientId: text });
  return status === 200;
}

async function textsOf(visitor: Visitor, { id, conversationId }: Handover): Promise<string[]> {
  const path = `/api/conversations/${conversationId}/handovers`;
  const { body } = await visitor.call<HandoverList>('GET', path);
  expect(body.handovers.map((one) => one.id)).toEqual([id]);
  return body.handovers[0]!.messages.map(({ text }) => text);
}
