import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Passage } from '../contract/answers.ts';
import type { ChatAnswer, PredictAnswer } from '../contract/chat.ts';
import type { Deletion } from '../contract/deletions.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { UploadRules } from '../contract/files.ts';
import type { DeskRecord } from '../contract/records.ts';
import { makePptx, makeXlsx } from '../testing/office-files.ts';
import { makeDocx, makePdf, makePng, noisyPng } from '../testing/sample-files.ts';
import { createPipe, createScriptedAnswerer, echo } from '../testing/scripted-answerer.ts';
import { smallPng } from '../testing/small-png.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { countStoredFiles, type StoredFiles } from '../testing/stored-files.ts';
import { createVisitor, readEvents, type SeenEvent, signedUp, type Visitor } from '../testing/visitor.ts';

const answerer = createScriptedAnswerer();
let visitor: Visitor;

const api = await startTestApi({ answerer, config: { maxUploadMb: 2 } });
afterAll(() => api.end());
beforeEach(() => {
  answerer.script = echo;
  answerer.asked = [];
  visitor = createVisitor(api.url);
});

type File = readonly [name: string, content: string | Uint8Array<ArrayBuffer>];

/** One file of every kind, with the media type returned for it. */
const kinds: [kind: string, content: () => string | Buffer | Promise<Buffer>, type: string][] = [
  ['text', () => 'The desk opens at nine in the morning.', 'application/octet-stream'],
  ['markdown', () => '# Hours\n\nThe desk opens at nine.\n\n- Monday\n', 'application/octet-stream'],
  ['csv', () => 'day,opens\nMonday,nine\nTuesday,nine\n', 'application/octet-stream'],
  ['json', () => '{"opens": "nine"}', 'application/octet-stream'],
  ['html', () => '<!doctype html><h1>Hours</h1><p>Opens at nine.</p>', 'application/octet-stream'],
  ['pdf', () => makePdf(['# Hours\nThe desk opens at nine.', 'Page two.']), 'application/pdf'],
  [
    'docx',
    () => makeDocx(['# Hours', 'The desk opens at nine.']),
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  [
    'xlsx',
    () =>
      makeXlsx([
        {
          name: 'Hours',
          rows: [
            ['Day', 'Opens'],
            ['Monday', 'nine'],
          ],
        },
      ]),
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
  [
    'pptx',
    () => makePptx([{ title: 'Hours', items: ['The desk opens at nine.'] }]),
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ],
  ['image', () => makePng(600, 120, 'OPENS AT NINE'), 'image/png'],
];

const notes: File = ['notes.md', '# Opening hours\n\nThe desk opens at nine and closes at five.\n'];

test('the rules for checking files in the browser contain an extension for each kind, and the limits', async () => {
  const { body: rules } = await visitor.call<UploadRules>('GET', '/api/upload-rules');
  for (const [kind] of kinds) {
    const ending = { text: 'txt', markdown: 'md', image: 'png' }[kind] ?? kind;
    expect(rules.endings).toContain(`.${ending}`);
  }
  expect(rules).toMatchObject({ maxFiles: 10, maxBytes: 2 * 1024 * 1024, freeBytes: null });
});

function formOf(files: readonly File[], fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, content] of files) form.append('file', new Blob([content]), name);
  return form;
}

async function predict(files: readonly File[], fields: Record<string, string> = {}, who = visitor) {
  const response = await who.fetch('POST', '/api/predict', {
    body: formOf(files, fields),
    headers: { 'Accept-Language': 'en' },
  });
  return { status: response.status, body: (await response.json()) as PredictAnswer & ErrorBody };
}

async function predictEvents(files: readonly File[], query = '', fields = {}): Promise<SeenEvent[]> {
  const response = await visitor.fetch('POST', `/api/predict${query}`, {
    body: formOf(files, fields),
    headers: { Accept: 'text/event-stream' },
  });
  const seen: SeenEvent[] = [];
  for await (const event of readEvents(response.body!)) seen.push(event);
  return seen;
}

async function recordOf(id: string, who = visitor): Promise<DeskRecord> {
  const { body } = await who.call<DeskRecord>('GET', `/api/records/${id}`);
  return body;
}

async function fileOf(url: string, who = visitor) {
  const response = await who.fetch('GET', url);
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

async function passageIdOf(url: string): Promise<string> {
  const upload = await api.connection.collection('uploads').findOne({ _id: url.split('/').at(-1) as never });
  const passage = await api.connection.collection('passages').findOne({ documentId: upload?.documentId });
  return String(passage?._id);
}

async function until<T>(read: () => Promise<T>, isReached: (value: T) => boolean): Promise<T> {
  for (const end = Date.now() + 150_000; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const value = await read();
    if (isReached(value)) return value;
    if (Date.now() > end) throw new Error(`expected it to be reached, got ${JSON.stringify(value)}`);
  }
}

/** Waits until the store contains only what it contained before. */
async function nothingMoreThan(before: StoredFiles): Promise<void> {
  await until(
    () => countStoredFiles(api),
    (now) => JSON.stringify(now) === JSON.stringify(before),
  );
}

describe('POST /api/predict', () => {
  test('answers from the file, and stores it with its record', async () => {
    const { status, body } = await predict([notes], {
      text: ' When? ',
      contact: '13800138000',
      model: 'none',
    });

    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      'citations',
      'conversationId',
      'extracted',
      'files',
      'imgUrls',
      'isImage',
      'outcome',
      'recordId',
      'response',
      'source',
      'url',
    ]);
    expect(body).toMatchObject({ response: 'When?', isImage: false, url: '', imgUrls: [] });
    expect(body.extracted).toEqual({ kind: 'markdown', chars: body.files[0]?.chars, pages: 1 });
    const record = await recordOf(body.recordId);
    expect(record).toMatchObject({ kind: 'predict', question: 'When?', contact: { id: '13800138000' } });
    expect(record.files).toEqual(body.files);
    expect(answerer.asked[0]).toMatchObject({
      text: 'When?',
      model: 'none',
      isSummary: false,
      files: [{ name: 'notes.md', kind: 'markdown', readImage: null }],
    });
    const document = await api.connection
      .collection('documents')
      .findOne({ _id: answerer.asked[0]?.files?.[0]?.documentId as never });
    expect(document).toMatchObject({
      owner: answerer.asked[0]?.owner,
      source: 'upload',
      status: 'ready',
      blob: '',
    });
    expect((await fileOf(body.files[0]?.url ?? '')).bytes.toString()).toBe(notes[1]);
  });

  test.each(kinds)(
    'accepts %s under any name, extracts its text and returns the file',
    async (kind, make, type) => {
      const content = Buffer.from(await make());
      const { status, body } = await predict([['unnamed', content]], { text: 'x' });

      expect(status).toBe(200);
      // Plain text formats differ only by their file name.
      if (!['markdown', 'csv'].includes(kind)) expect(body.extracted.kind).toBe(kind);
      expect(body.extracted.pages).toBe(kind === 'pdf' ? 2 : 1);
      expect(body.extracted.chars).toBeGreaterThan(5);
      const back = await fileOf(body.files[0]?.url ?? '');
      expect(back.bytes.equals(content)).toBe(true);
      expect(back.headers.get('Content-Type')).toBe(type);
    },
  );

  test('generates the question if there is none, and marks it for the answerer', async () => {
    const { body } = await predict([notes, ['b.txt', 'Second file.']]);

    expect(answerer.asked[0]).toMatchObject({ isSummary: true, text: 'Sum up “notes.md”, “b.txt”' });
    expect((await recordOf(body.recordId)).question).toBe('Sum up “notes.md”, “b.txt”');
  });

  test('shows images, and passes them to the answerer', async () => {
    const png = smallPng(40, 30);
    const { body } = await predict([notes, ['a.png', png], ['misnamed.txt', smallPng(50, 20, 9)]], {
      text: 'x',
    });

    expect(body.isImage).toBe(true);
    expect(body.imgUrls).toEqual([body.files[1]?.url, body.files[2]?.url]);
    expect(body.url).toBe(body.imgUrls[0]);
    expect(body.files.map(({ kind }) => kind)).toEqual(['markdown', 'image', 'image']);
    const read = await answerer.asked[0]?.files?.[1]?.readImage?.();
    expect(read?.type).toBe('image/png');
    expect(Buffer.from(read?.bytes ?? []).equals(png)).toBe(true);
    expect(await recordOf(body.recordId)).toMatchObject({
      isImage: true,
      url: body.url,
      imgUrls: body.imgUrls,
    });
  });

  test('streams the events of a chat, with its files at the end', async () => {
    const events = await predictEvents([notes], '', { text: 'one two', clientId: 'c1' });

    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['record', 'delta', 'done']));
    expect(events[0]?.data).toMatchObject({ clientId: 'c1' });
    expect(events.at(-1)?.data).toMatchObject({
      response: 'one two',
      status: 'done',
      extracted: { kind: 'markdown', pages: 1 },
      files: [{ name: 'notes.md' }],
    });
  });

  test('sends progress of slow reading to clients that request it', async () => {
    // OCR of noise takes long.
    const scan: File = ['scan.png', new Uint8Array(noisyPng(200))];
    const received = await predictEvents([scan], '?progress=1');
    const silent = await predictEvents([scan]);

    const reading = received.filter(({ event }) => event === 'reading');
    expect(reading[0]?.data).toMatchObject({ file: 0, files: 1, name: 'scan.png' });
    expect(received[reading.length]?.event).toBe('record');
    expect(received.at(-1)?.event).toBe('done');
    expect(silent[0]?.event).toBe('record');
  });

  test('sends progress of indexing texts as well, never decreasing', async () => {
    const long = 'A sentence of some words in it. '.repeat(40_000);
    const events = await predictEvents([notes, ['long.txt', long]], '?progress=1', { text: 'x' });

    const shares = events.flatMap(({ event, data }) =>
      event === 'reading' ? [data.file + data.done / data.total] : [],
    );
    expect(shares.length).toBeGreaterThan(0);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(events.at(-1)?.event).toBe('done');
  });

  test.each<[string, File, number, string, string]>([
    ['an unknown type', ['x.exe', randomBytes(3000)], 415, 'unsupported_type', 'x.exe'],
    ['a broken PDF', ['broken.pdf', '%PDF-1.4\n1 0 obj\n<<'], 422, 'unreadable_file', 'broken.pdf'],
    ['an empty file', ['empty.txt', ''], 422, 'unreadable_file', 'empty.txt'],
    ['too much', ['big.txt', 'x'.repeat(2_200_000)], 413, 'too_large', ''],
  ])('stores nothing of a call with %s, and names the file', async (_what, bad, status, error, name) => {
    const before = await countStoredFiles(api);

    const reply = await predict([notes, bad], { text: 'x' });

    expect(reply).toMatchObject({ status, body: { error, field: 'file' } });
    expect(reply.body.msg).toContain(name);
    expect(answerer.asked).toEqual([]);
    await nothingMoreThan(before);
  });

  test.each([
    ['a conversation of nobody', { conversationId: 'f'.repeat(24) }, 404],
    ['too long a text', { text: 'x'.repeat(8001) }, 400],
    ['too long a clientId', { clientId: 'x'.repeat(65) }, 400],
    ['a model that there is not', { model: 'no such' }, 400],
  ])('refuses %s and stores nothing', async (_what, fields, status) => {
    const before = await countStoredFiles(api);

    expect((await predict([notes], fields as Record<string, string>)).status).toBe(status);
    await nothingMoreThan(before);
  });

  test('continues a conversation', async () => {
    const { body: first } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text: 'hello' });
    const { body } = await predict([notes], { text: 'and this?', conversationId: first.conversationId });

    expect(body.conversationId).toBe(first.conversationId);
    expect(answerer.asked[1]?.history).toEqual([{ question: 'hello', answer: 'hello' }]);
  });

  test('joins the record of the same clientId, text and files, and refuses any other', async () => {
    await visitor.call('POST', '/api/chat', { text: 'hello' });
    answerer.asked = [];
    const before = await countStoredFiles(api);
    const both = await Promise.all([
      predict([notes], { text: 'x', clientId: 'same' }),
      predict([notes], { text: 'x', clientId: 'same' }),
    ]);
    const again = await predict([notes], { text: 'x', clientId: 'same' });

    expect(new Set([...both, again].map(({ body }) => body.recordId)).size).toBe(1);
    expect([...both, again].map(({ body }) => body.files[0]?.id)).toEqual(
      Array(3).fill(again.body.files[0]?.id),
    );
    expect(await predict([notes], { text: 'y', clientId: 'same' })).toMatchObject({ status: 409 });
    expect(await predict([notes], { clientId: 'same' })).toMatchObject({ status: 409 });
    expect(await predict([['notes.md', 'other']], { text: 'x', clientId: 'same' })).toMatchObject({
      status: 409,
    });
    const now = await countStoredFiles(api);
    expect(now).toMatchObject({ uploads: before.uploads + 1, records: before.records + 1, temporary: 0 });
    expect(answerer.asked).toHaveLength(1);
  });

  test('a retry uses the same files again', async () => {
    const { body } = await predict([notes, ['b.txt', 'Second.']]);

    const retried = await visitor.call<PredictAnswer>('POST', `/api/chat/${body.recordId}/retry`);

    expect(retried.body).toMatchObject({ recordId: body.recordId, files: body.files });
    const [first, second] = answerer.asked;
    expect(second?.isSummary).toBe(true);
    expect(second?.files?.map(({ documentId }) => documentId)).toEqual(
      first?.files?.map(({ documentId }) => documentId),
    );
  });

  test('counts towards the limit of questions, before anything is read', async () => {
    const limited = await startTestApi({ answerer, config: { limitChat: 1 } });
    try {
      const who = createVisitor(limited.url);
      await predict([notes], { text: 'x' }, who);

      const sending = request(`${limited.url}/api/predict`, {
        method: 'POST',
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      });
      sending.flushHeaders();
      const [response] = await once(sending, 'response');
      response.resume();

      expect(response.statusCode).toBe(429);
      sending.destroy();
    } finally {
      await limited.end();
    }
  });

  test('ten concurrent uploads of equal and different content store each content once', async () => {
    const before = await countStoredFiles(api);
    const shared = `Shared ${randomUUID()}`;
    const visitors = Array.from({ length: 10 }, () => createVisitor(api.url));

    const replies = await Promise.all(
      visitors.map((who, at) =>
        predict([[`${at}.txt`, at % 2 === 0 ? shared : `Own ${randomUUID()}`]], { text: `${at}` }, who),
      ),
    );

    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const now = await countStoredFiles(api);
    expect(now.uploads - before.uploads).toBe(10);
    expect(now.blobs - before.blobs).toBe(6);
    expect(now.bytes - before.bytes).toBe(6);
    // One is deleted: the others still have the content.
    const [first, , third] = replies;
    const gone = await erase(visitors[0]!, first?.body.recordId ?? '');
    await visitors[0]!.call('POST', '/api/purge', { undoToken: gone });
    expect((await fileOf(third?.body.files[0]?.url ?? '', visitors[2])).bytes.toString()).toBe(shared);
  });
});

describe('a client that disconnects', () => {
  test.each([
    ['while it uploads', ['a.txt', 'x'.repeat(900_000)], 'uploading'],
    ['while an image is read', ['scan.png', new Uint8Array(noisyPng(1300))], 'reading'],
    [
      'while the text is indexed',
      ['long.txt', 'A sentence of some words in it. '.repeat(40_000)],
      'indexing',
    ],
  ] as const)('%s leaves nothing', async (_when, file, stage) => {
    await visitor.call('POST', '/api/chat', { text: 'hello' });
    const before = await countStoredFiles(api);
    const form = new Response(formOf([file], { text: 'x' }));
    const type = form.headers.get('Content-Type') ?? '';
    const whole = Buffer.from(await form.arrayBuffer());
    const sending = request(`${api.url}/api/predict`, {
      method: 'POST',
      headers: {
        'Content-Type': type,
        'Content-Length': whole.length,
        Cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'X-XSRF-TOKEN': visitor.cookies.get('XSRF-TOKEN') ?? '',
      },
    });
    sending.on('error', () => undefined);
    if (stage === 'uploading') sending.write(whole.subarray(0, whole.length / 2));
    else sending.end(whole);
    await until(
      () => countStoredFiles(api),
      (now) => (stage === 'indexing' ? now.passages > before.passages : now.temporary > 0),
    );

    sending.destroy();

    await nothingMoreThan(before);
    expect(answerer.asked.filter(({ text }) => text === 'x')).toEqual([]);
  });

  test('at any time leaves either a record with its complete file, or nothing', async () => {
    await visitor.call('POST', '/api/chat', { text: 'hello' });
    const before = await countStoredFiles(api);
    const leave = async (at: number) => {
      const content = `${at}\n${'A sentence of some words in it. '.repeat(at % 2 === 0 ? 20 : 6000)}`;
      await visitor
        .fetch('POST', '/api/predict', {
          body: formOf([[`${at}.txt`, content]], { text: `leave ${at}` }),
          signal: AbortSignal.timeout(at * 20),
        })
        .catch(() => undefined);
    };

    for (let at = 0; at < 24; at += 4) await Promise.all([at, at + 1, at + 2, at + 3].map(leave));

    const put = await until(
      () => countStoredFiles(api),
      (now) => now.temporary === 0 && now.uploads - before.uploads === now.records - before.records,
    );
    // The first ones disconnected before anything could be read.
    expect(put.uploads - before.uploads).toBeLessThan(20);
    expect(put.documents - before.documents).toBe(put.uploads - before.uploads);
    expect(put.blobs - before.blobs).toBe(put.uploads - before.uploads);
    expect(put.bytes - before.bytes).toBe(put.uploads - before.uploads);
    expect(put.findable - before.findable).toBe(put.passages - before.passages);
    const uploads = await api.connection.collection('uploads').find({}).toArray();
    for (const upload of uploads.filter(({ name }) => /^\d+\.txt$/.test(name))) {
      const record = await api.connection.collection('records').findOne({ _id: upload.recordId });
      expect(record?.files).toMatchObject([{ id: String(upload._id), name: upload.name }]);
    }
  });

  test('after the record was created still gets its answer', async () => {
    const pipe = createPipe();
    answerer.script = pipe.script;
    const left = new AbortController();
    const response = await visitor.fetch('POST', '/api/predict', {
      body: formOf([notes], { text: 'x' }),
      headers: { Accept: 'text/event-stream' },
      signal: left.signal,
    });
    const { value } = await readEvents(response.body!).next();
    const recordId = (value as SeenEvent & { event: 'record' }).data.recordId;

    left.abort();
    pipe.say('still here');
    pipe.close();

    const record = await until(
      () => recordOf(recordId),
      ({ status }) => status === 'done',
    );
    expect(record).toMatchObject({ answer: 'still here', files: [{ name: 'notes.md' }] });
  });
});

describe('GET /api/files/:id', () => {
  test('returns a file to its owner only', async () => {
    const { body } = await predict([notes], { text: 'x' });
    const url = body.files[0]?.url ?? '';
    const passage = `/api/passages/${await passageIdOf(url)}`;
    const other = await signedUp(api.url, `other-${randomUUID()}`, 'password-1');

    expect((await visitor.call<Passage>('GET', passage)).body.text).toContain('opens at nine');
    expect((await fileOf(url, other)).status).toBe(404);
    expect((await other.call('GET', passage)).status).toBe(404);
    expect((await fileOf(url, createVisitor(api.url))).status).toBe(404);
    expect((await fileOf('/api/files/none')).status).toBe(404);
  });

  test('never serves it as a page, uses its full name, and supports conditional requests', async () => {
    const html = '<!doctype html><title>T</title><script>alert(1)</script><p>Some text to read here.</p>';
    const { body } = await predict(
      [
        ['报告 (1)"x.html', html],
        ['a.png', smallPng(4, 4)],
      ],
      { text: 'x' },
    );
    const [page, image] = await Promise.all(body.files.map(({ url }) => fileOf(url)));

    expect(page?.bytes.toString()).toBe(html);
    expect(page?.headers.get('Content-Type')).toBe('application/octet-stream');
    expect(page?.headers.get('Content-Disposition')).toBe(
      `attachment; filename="__ (1)_x.html"; filename*=UTF-8''%E6%8A%A5%E5%91%8A%20%281%29%22x.html`,
    );
    expect(page?.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(page?.headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox");
    expect(page?.headers.get('Cache-Control')).toBe('private, no-cache');
    expect(page?.headers.get('Vary')).toBe('Authorization, Cookie');
    expect(page?.headers.get('Accept-Ranges')).toBe('bytes');
    expect(image?.headers.get('Content-Type')).toBe('image/png');
    expect(image?.headers.get('Content-Disposition')).toMatch(/^inline;/);
    const again = await visitor.fetch('GET', body.files[0]?.url ?? '', {
      // Overrides fetch's default, which would bypass the condition.
      headers: { 'If-None-Match': page?.headers.get('ETag') ?? '', 'Cache-Control': 'max-age=0' },
    });
    expect(again.status).toBe(304);
  });
});

async function erase(who: Visitor, recordId: string): Promise<string> {
  const { body } = await who.call<Deletion>('POST', '/api/delete_by_ids', { ids: [recordId] });
  return body.undoToken ?? '';
}

describe('erasing a record with files', () => {
  test('hides them, restores them, and deletes them permanently', async () => {
    const before = await countStoredFiles(api);
    const { body } = await predict([notes], { text: 'x' });
    const url = body.files[0]?.url ?? '';
    const passage = `/api/passages/${await passageIdOf(url)}`;
    const isHidden = async () =>
      (
        await api.connection
          .collection('documents')
          .findOne({ _id: answerer.asked[0]?.files?.[0]?.documentId as never })
      )?.hidden;

    const first = await erase(visitor, body.recordId);
    expect((await fileOf(url)).status).toBe(404);
    expect((await visitor.call('GET', passage)).status).toBe(404);
    expect(await isHidden()).toBe(true);

    await visitor.call('POST', '/api/undo_delete', { undoToken: first });
    expect((await fileOf(url)).bytes.toString()).toBe(notes[1]);
    expect((await visitor.call('GET', passage)).status).toBe(200);
    expect(await isHidden()).toBe(false);

    const second = await erase(visitor, body.recordId);
    expect((await visitor.call('POST', '/api/purge', { undoToken: second })).status).toBe(200);
    await nothingMoreThan(before);
  });

  test('importing an erased record restores its files', async () => {
    const { body } = await predict([notes], { text: 'x' });
    const url = body.files[0]?.url ?? '';
    const exported = await visitor.fetch('POST', '/api/export', {
      body: JSON.stringify({ ids: [body.recordId], format: 'json' }),
      headers: { 'Content-Type': 'application/json' },
    });
    const archive = await exported.text();
    await erase(visitor, body.recordId);

    const imported = await visitor.fetch('POST', '/api/import', {
      body: archive,
      headers: { 'Content-Type': 'application/json' },
    });

    expect(await imported.json()).toMatchObject({ imported: 1 });
    expect((await fileOf(url)).status).toBe(200);
    expect((await recordOf(body.recordId)).files).toEqual(body.files);
    await visitor.call('POST', `/api/chat/${body.recordId}/retry`);
    expect(answerer.asked.at(-1)?.files).toHaveLength(1);
  });
});

describe('an owner with files', () => {
  test('that signs in during reading finds the record in the account', async () => {
    await visitor.call('POST', '/api/chat', { text: 'hello' });
    let isOver = false;
    const sending = predict([['scan.png', new Uint8Array(noisyPng(300))]], { text: 'x' });
    void sending.finally(() => {
      isOver = true;
    });
    await until(
      () => countStoredFiles(api),
      ({ temporary }) => temporary > 0,
    );
    await visitor.signUp(`owner-${randomUUID()}`, 'password-1');
    expect(isOver).toBe(false);
    const { body } = await sending;

    expect(await recordOf(body.recordId)).toMatchObject({ question: 'x', status: 'done' });
    expect((await fileOf(body.files[0]?.url ?? '')).status).toBe(200);
  });

  test('keeps them in the account, and loses them with the account', async () => {
    const before = await countStoredFiles(api);
    const { body } = await predict([notes], { text: 'x' });
    const url = body.files[0]?.url ?? '';
    const passage = `/api/passages/${await passageIdOf(url)}`;

    await visitor.signUp(`owner-${randomUUID()}`, 'password-1');
    expect((await fileOf(url)).bytes.toString()).toBe(notes[1]);
    expect((await visitor.call('GET', passage)).status).toBe(200);
    await visitor.call('POST', `/api/chat/${body.recordId}/retry`);
    expect(answerer.asked.at(-1)).toMatchObject({
      owner: expect.stringMatching(/^user:/),
      files: [{ name: 'notes.md' }],
    });

    const deleted = await visitor.call('DELETE', '/admin/account', { password: 'password-1' });
    expect(deleted.status).toBe(200);
    await nothingMoreThan(before);
  });

  test('has the images of its records in a report', async () => {
    const { body } = await predict([['a.png', smallPng(40, 30)]], { text: 'x' });

    const report = await visitor.fetch('POST', '/api/generate_pdf', {
      body: JSON.stringify({ ids: [body.recordId] }),
      headers: { 'Content-Type': 'application/json' },
    });

    expect(Buffer.from(await report.arrayBuffer()).toString('latin1')).toMatch(/\/Subtype \/Image/);
  });
});
