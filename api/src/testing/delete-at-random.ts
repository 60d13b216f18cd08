import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { Types } from 'mongoose';
import type { Deletion } from '../contract/deletions.ts';
import { handoversOfRecords } from '../handover/handover-data.ts';
import type { Contacts } from '../records/contacts.ts';
import type { ConversationSummaries } from '../records/conversation-summaries.ts';
import { type Conversations, createConversations } from '../records/conversations.ts';
import type { Deletions } from '../records/deletion/deletions.ts';
import type { MatchingRecords } from '../records/search/matching-records.ts';
import { recordTerms } from '../records/search/record-terms.ts';
import { dayOf } from '../text/day-range.ts';
import { openTestDeletions } from './open-test-deletions.ts';
import type { TestStore } from './open-test-models.ts';
import { createRandom, type Random } from './random.ts';

/**
 * Randomly deletes, undoes and purges, also leaving deletions unfinished like a stopped process, and compares
 * the visible data after every step with an in-memory model.
 */
export async function deleteAtRandom(store: TestStore, seed: number, steps: number): Promise<void> {
  const random = createRandom(seed);
  const all: Kept[] = [];
  const tokens: string[] = [];
  let desk = open(store, `user:${seed}`);
  await add(store, desk, random, all, many);
  for (let step = 0; step < steps; step += 1) {
    const token = tokens[random.int(Math.max(1, tokens.length))];
    const what = random.int(10);
    if (what < 5) {
      const isLeft = random.chance(0.5);
      // Stopped before, it is only decided; otherwise the process ends while records are marked, or afterwards.
      if (isLeft && random.chance(0.6)) await desk.stop();
      const left = isLeft ? delay(random.int(12)).then(() => desk.stop()) : null;
      const undoToken = await deleteSomething(desk, random, all);
      if (undoToken) tokens.push(undoToken);
      if (left) {
        await left;
        desk = open(store, desk.owner);
      }
    } else if (what < 7 && token) {
      tokens.splice(tokens.indexOf(token), 1);
      const hidden = all.filter(({ by }) => by === token);
      expect(await desk.deletions.undo(desk.owner, token)).toBe(hidden.length);
      for (const record of hidden) record.by = null;
    } else if (what < 8 && token) {
      tokens.splice(tokens.indexOf(token), 1);
      const hidden = all.filter(({ by }) => by === token);
      expect(await desk.deletions.purge(desk.owner, token)).toBe(hidden.length);
      for (const record of hidden) all.splice(all.indexOf(record), 1);
    } else if (what < 9) {
      await add(store, desk, random, all, 1 + random.int(3));
    } else {
      await desk.deletions.resume();
    }
    expect([step, await seen(desk)]).toEqual([step, expected(all)]);
  }
  const bin = await desk.deletions.bin(desk.owner, { limit: 100 });
  expect(bin.deletions.map(({ undoToken }) => undoToken).sort()).toEqual([...tokens].sort());
  for (const token of tokens) await desk.deletions.undo(desk.owner, token);
  for (const record of all) record.by = null;
  expect(await seen(desk)).toEqual(expected(all));
  expect(await store.models.records.countDocuments({ owner: desk.owner })).toBe(all.length);
  await desk.stop();
}

/** A record of the in-memory model; `by` is the deletion that hides it. */
interface Kept {
  id: string;
  conversation: string;
  contact: string;
  question: string;
  at: Date;
  by: string | null;
}

interface Desk {
  owner: string;
  deletions: Deletions;
  stop(): Promise<void>;
  contacts: Contacts;
  conversations: Conversations;
  summaries: ConversationSummaries;
  matching: MatchingRecords;
}

const days = ['2026-03-07', '2026-03-08', '2026-03-09'];
const tz = 'America/New_York';
const firstAt = Date.parse('2026-03-07T06:00:00Z');
const many = 30;
const someContacts = ['', 'a@example.com', 'b@example.com', 'c@example.com'];

/** One of the processes on the store; the previous one may have left unfinished work. */
function open(store: TestStore, owner: string): Desk {
  const fail = (details: unknown) => {
    throw new Error('expected no background failure', { cause: details });
  };
  const opened = openTestDeletions(store, { warn: fail, error: fail });
  const { models, hidden, summaries } = opened;
  const conversations = createConversations(models, hidden, summaries, handoversOfRecords(models, hidden));
  return { ...opened, owner, conversations };
}

async function add(store: TestStore, desk: Desk, random: Random, all: Kept[], count: number): Promise<void> {
  const { owner, summaries } = desk;
  const shown = [...new Set(all.filter(({ by }) => by === null).map(({ conversation }) => conversation))];
  for (let n = 0; n < count; n += 1) {
    const isNew = shown.length === 0 || random.chance(0.4);
    const conversation = isNew ? new Types.ObjectId().toHexString() : random.pick(shown);
    const contact = random.pick(someContacts);
    // Questions are in chronological order: the first ones spread over all days, later ones on the last day.
    const last = all.reduce((latest, record) => Math.max(latest, record.at.getTime()), firstAt);
    const at = new Date(last + 1 + random.int(all.length < many ? (2 * 86_400_000) / many : 60_000));
    const question = `question ${all.length}`;
    const content = {
      question,
      answer: 'answer',
      contact: contact === '' ? null : { id: contact, name: '' },
      source: 'document' as const,
      feedback: null,
    };
    const _id = new Types.ObjectId();
    const conversationId = new Types.ObjectId(conversation);
    const placed = { _id, owner, conversationId, createdAt: at };
    await store.models.records.create({
      ...content,
      ...placed,
      kind: 'chat',
      status: 'done',
      terms: recordTerms(content),
    });
    if (isNew) {
      shown.push(conversation);
      const dates = { createdAt: at, updatedAt: at };
      await store.models.conversations.create({
        _id: conversationId,
        owner,
        title: question,
        titleFrom: _id,
        ...dates,
      });
    }
    await summaries.recount(owner, [conversationId]);
    await desk.contacts.used(owner, content.contact, at);
    all.push({ id: _id.toHexString(), conversation, contact, question, at, by: null });
  }
}

/** The visible data, from calls that use different queries. */
async function seen({ owner, matching, conversations, contacts }: Desk) {
  const { records } = await matching.page(owner, {}, { limit: 100 });
  const found = await matching.page(owner, { text: 'answer' }, { limit: 100 });
  const listed = await conversations.list(owner, { limit: 100 });
  const people = await contacts.list(owner, '', { limit: 100 });
  return {
    records: records.map(({ _id }) => _id.toHexString()),
    found: found.records.map(({ _id }) => _id.toHexString()),
    total: (await matching.count(owner, { text: 'answer' })).total,
    conversations: listed.conversations
      .map(({ id, title, recordCount, contact }) => ({ id, title, recordCount, contact: contact?.id ?? '' }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    contacts: people.contacts.map(({ id }) => id).sort(),
  };
}

function newestFirst(a: Kept, b: Kept): number {
  return b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1);
}

/** The expected data according to the model. */
function expected(all: readonly Kept[]): Awaited<ReturnType<typeof seen>> {
  const shown = all.filter(({ by }) => by === null).sort(newestFirst);
  const ids = shown.map(({ id }) => id);
  const conversations = [...Map.groupBy(shown, ({ conversation }) => conversation)].map(([id, records]) => ({
    id,
    title: records.at(-1)?.question ?? '',
    recordCount: records.length,
    contact: records[0]?.contact ?? '',
  }));
  return {
    records: ids,
    found: ids,
    total: ids.length,
    conversations: conversations.sort((a, b) => (a.id < b.id ? -1 : 1)),
    contacts: [...new Set(shown.map(({ contact }) => contact))].filter((id) => id !== '').sort(),
  };
}

/** Deletes something, and hides it in the model under the token. */
async function deleteSomething(
  { owner, deletions }: Desk,
  random: Random,
  all: Kept[],
): Promise<string | null> {
  const shown = all.filter(({ by }) => by === null);
  const contact = random.pick(someContacts);
  const [from, to] = [random.int(3), random.int(3)].sort().map((day) => days[day] ?? '') as [string, string];
  const isIn = ({ at }: Kept) => dayOf(at, tz) >= from && dayOf(at, tz) <= to;
  const one = shown.length > 0 ? random.pick(shown) : null;
  const some = shown.filter(() => random.chance(0.2));
  const ways: (() => [Promise<Deletion>, Kept[]])[] = [
    () => [
      deletions.deleteContact(owner, contact, false),
      shown.filter((record) => record.contact === contact),
    ],
    () => [deletions.deleteDays(owner, { from, to, tz }, undefined, false), shown.filter(isIn)],
    () => [
      deletions.deleteDays(owner, { from, to, tz }, contact, false),
      shown.filter((record) => isIn(record) && record.contact === contact),
    ],
  ];
  if (some.length > 0)
    ways.push(() => [
      deletions.deleteIds(
        owner,
        some.map(({ id }) => id),
        false,
      ),
      some,
    ]);
  if (one)
    ways.push(() => [
      deletions.deleteConversation(owner, one.conversation),
      shown.filter(({ conversation }) => conversation === one.conversation),
    ]);
  const [deletion, named] = random.pick(ways)();
  const { deleted, undoToken } = await deletion;
  expect(deleted).toBe(named.length);
  for (const record of named) record.by = undoToken;
  return undoToken;
}
