import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pino from 'pino';
import type { AuditCheck, AuditEvent, AuditFilter, AuditPage } from '../../contract/audit.ts';
import type { Handover } from '../../contract/handover.ts';
import type { Person } from '../../contract/people.ts';
import type { SettingsReply } from '../../contract/settings.ts';
import { createScriptedAnswerer } from '../../testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../../testing/start-test-api.ts';
import { createVisitor, signedUp, type Visitor } from '../../testing/visitor.ts';
import { createUserModel } from '../account-models.ts';
import { createAuditLog, createAuditModel } from './audit-log.ts';

const opsToken = 'the-token-of-operations';
const password = 'correct horse';
let api: TestApi;
let admin: Visitor;

beforeEach(async () => {
  api = await startTestApi({ answerer: createScriptedAnswerer(), config: { opsToken } });
  admin = await signedUp(api.url, 'the-boss', password);
});
afterEach(() => api?.end());

const search = async (filter: Partial<AuditFilter> & { limit?: number; cursor?: string } = {}) =>
  (await admin.call<AuditPage>('POST', '/api/audit/search', filter)).body;
const verify = async () => (await admin.call<AuditCheck>('POST', '/api/audit/verify')).body;
const stored = () =>
  api.connection.collection<{ _id: number; ip: string; [field: string]: unknown }>('audit');

/** A second process on the same store. */
const another = (config = { auditFile: '', auditDays: 365 }) =>
  createAuditLog(
    { audit: createAuditModel(api.connection), users: createUserModel(api.connection) },
    config,
    pino({ enabled: false }),
  );
const facts = (ip: string) => ({ event: 'sign_in', call: null, by: null, subject: null, ip }) as const;

test('records who did what, on which object and from which address, without any entered text', async () => {
  const guest = createVisitor(api.url);
  const typed = { text: 'a-telling-question', contact: 'telling@example.com', contactName: 'Telling Name' };
  const asked = await guest.call<{ recordId: string; conversationId: string }>('POST', '/api/chat', typed);
  const { body: handover } = await guest.call<Handover>('POST', '/api/handovers', {
    conversationId: asked.body.conversationId,
    question: typed.text,
    contactDetails: typed.contact,
    clientId: 'one',
  });
  await guest.call('POST', '/admin/login', { username: 'the-boss', password: 'a-telling-password' });
  const member = await signedUp(api.url, 'a-member', password);
  const { body: found } = await admin.call<{ people: Person[] }>('POST', '/api/people/search', {
    q: 'a-mem',
  });
  const { id } = found.people[0]!;
  await admin.call('PATCH', `/api/people/${id}`, { roles: ['agent'] });
  await member.call('GET', `/api/inbox/${handover.id}`);
  await member.call('POST', `/api/inbox/${handover.id}/take`);
  const { body: settings } = await admin.call<SettingsReply>('GET', '/api/settings');
  await admin.call('PUT', '/api/settings', { revision: settings.revision, settings: settings.settings });
  await admin.call('POST', '/api/knowledge/pairs', { question: 'a-telling-pair', answer: 'telling' });
  await admin.call('POST', '/api/knowledge/try', { question: 'a-telling-trial' });
  await admin.call('POST', '/api/export', { filter: {}, format: 'json' });
  await guest.call('POST', '/api/delete_by_contact', { contact: typed.contact });
  const ops = { Authorization: `Bearer ${opsToken}` };
  await admin.call('POST', '/ops/editors/grant', { username: 'a-member' }, ops);
  await admin.call('POST', '/ops/tokens', { name: 'a-new-token', scopes: ['read'] }, ops);

  const { entries } = await search();
  expect(
    entries
      .reverse()
      .map(({ event, by, subject }) => [
        event,
        by?.name ?? by?.kind ?? null,
        subject?.name ?? subject?.kind ?? null,
      ]),
  ).toEqual([
    ['sign_up', 'the-boss', 'the-boss'],
    ['permission_changed', 'the-boss', 'the-boss'],
    ['sign_in_failed', null, 'the-boss'],
    ['sign_up', 'a-member', 'a-member'],
    ['permission_changed', 'the-boss', 'a-member'],
    ['conversation_read', 'a-member', 'thing'],
    ['conversation_read', 'a-member', 'thing'],
    ['settings_changed', 'the-boss', null],
    ['knowledge_changed', 'the-boss', null],
    ['export', 'the-boss', null],
    ['records_deleted', 'guest', null],
    ['permission_changed', 'token', 'a-member'],
    ['operation', 'token', null],
  ]);
  expect(entries[5]).toMatchObject({ call: 'GET /api/inbox/:id', subject: { id: handover.id } });
  expect(entries[6]).toMatchObject({ call: 'POST /api/inbox/:id/take', subject: { id: handover.id } });
  expect(entries.every(({ ip }) => ip === '127.0.0.1')).toBe(true);
  const everything = JSON.stringify(await stored().find().toArray());
  for (const text of ['telling', 'Telling', 'the-boss', 'a-member', admin.token])
    expect(everything).not.toContain(text);
});

test('is searched by area, account and day, page by page', async () => {
  await admin.call('POST', '/api/knowledge/pairs', { question: 'one', answer: 'a' });
  await admin.call('POST', '/api/knowledge/pairs', { question: 'two', answer: 'b' });
  const _other = await signedUp(api.url, 'somebody', password);
  const seen = async (filter: Parameters<typeof search>[0]): Promise<AuditEvent[]> =>
    (await search(filter)).entries.map(({ event }) => event);
  expect(await seen({ area: 'knowledge' })).toEqual(['knowledge_changed', 'knowledge_changed']);
  expect(await seen({ username: 'SOMEBODY' })).toEqual(['sign_up']);
  expect(await seen({ username: 'nobody' })).toEqual([]);
  await stored().updateOne({ _id: 1 }, { $set: { at: new Date('2026-01-31T23:30:00Z') } });
  expect(await seen({ from: '2026-02-01', to: '2026-02-01', tz: 'Asia/Shanghai' })).toEqual(['sign_up']);
  expect(await seen({ from: '2026-02-01', to: '2026-02-01' })).toEqual([]);
  expect(await seen({ to: '2026-01-31' })).toEqual(['sign_up']);
  expect(await seen({ from: '2999-01-01' })).toEqual([]);
  const first = await search({ limit: 3 });
  const second = await search({ limit: 3, cursor: first.nextCursor! });
  expect([...first.entries, ...second.entries].map(({ number }) => number)).toEqual([5, 4, 3, 2, 1]);
  expect(second.nextCursor).toBeNull();
});

test('processes that write at the same time number their entries without gaps', async () => {
  const logs = [another(), another(), another()];
  await Promise.all(
    Array.from({ length: 45 }, (_, index) => logs[index % 3]!.add(facts(`192.0.2.${index}`))),
  );
  expect(await verify()).toMatchObject({ entries: 47, last: { number: 47 }, brokenAt: null });
  const ips = (await stored().find().toArray()).map(({ ip }) => ip);
  expect(new Set(ips).size).toBe(46);
});

test('detects entries that were changed or removed afterwards', async () => {
  const log = another();
  for (const ip of ['192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5']) await log.add(facts(ip));
  expect((await verify()).brokenAt).toBeNull();
  await stored().updateOne({ _id: 3 }, { $set: { ip: '203.0.113.1' } });
  expect(await verify()).toMatchObject({ entries: 2, last: { number: 2 }, brokenAt: 3 });
  await stored().updateOne({ _id: 3 }, { $set: { ip: '192.0.2.2' } });
  for (const [field, hidden] of Object.entries({ area: 'exports', people: ['user:somebody'] })) {
    const before = await stored().findOneAndUpdate({ _id: 3 }, { $set: { [field]: hidden } });
    expect((await verify()).brokenAt).toBe(3);
    await stored().updateOne({ _id: 3 }, { $set: { [field]: before![field] } });
  }
  const taken = await stored().findOneAndDelete({ _id: 4 });
  expect((await verify()).brokenAt).toBe(5);
  await stored().insertOne(taken!);
  expect((await verify()).brokenAt).toBeNull();
  await stored().deleteMany({ _id: { $lte: 2 } });
  expect(await verify()).toMatchObject({ entries: 0, last: null, brokenAt: 3 });
});

test('entries older than AUDIT_DAYS are removed, and the chain counts as complete', async () => {
  const log = another();
  for (const ip of ['192.0.2.2', '192.0.2.3']) await log.add(facts(ip));
  await log.sweep();
  expect((await verify()).entries).toBe(4);
  const ancient = { auditFile: '', auditDays: -1 };
  await another(ancient).sweep();
  expect(await verify()).toMatchObject({ entries: 1, last: { number: 5 }, brokenAt: null });
  await log.add(facts('192.0.2.4'));
  expect(await verify()).toMatchObject({ entries: 2, brokenAt: null });
});

test('is downloaded as CSV and appended to AUDIT_FILE', async () => {
  const auditFile = join(api.config.dataDir, 'audit.jsonl');
  await another({ auditFile, auditDays: 365 }).add({ ...facts('=1+1'), by: 'token:=HYPERLINK("x")' });
  const lines = (await readFile(auditFile, 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ _id: 3, event: 'sign_in', ip: '=1+1' }]);
  const response = await admin.fetch('POST', '/api/audit/export', {
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
  expect(response.headers.get('Content-Disposition')).toContain('audit.csv');
  const rows = (await response.text()).trim().split('\r\n');
  expect(rows).toHaveLength(5);
  expect(rows[1]).toContain('"the-boss"');
  expect(rows[3]).toContain(`"'=1+1"`);
});
