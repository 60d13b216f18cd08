import { afterAll, expect, test } from '@jest/globals';
import type { Passage } from '../contract/answers.ts';
import type { ChatAnswer, PredictAnswer } from '../contract/chat.ts';
import type { SourceDocument, SourceText } from '../contract/documents.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { KnowledgeDocumentInfo } from '../contract/knowledge.ts';
import { addDocument, whenIndexed } from '../testing/knowledge-calls.ts';
import { makePptx, makeXlsx } from '../testing/office-files.ts';
import { makePdf } from '../testing/sample-files.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';

const api = await startTestApi({});
const editor = createVisitor(api.url);
const guest = createVisitor(api.url);
await editor.signUp('first', 'password-1');
afterAll(() => api.end());

/** Uploads a shared document; returns its whole text with its places, read part by part. */
async function given(name: string, content: string | Uint8Array): Promise<{ id: string } & SourceText> {
  const { body } = await addDocument(editor, name, content as Uint8Array<ArrayBuffer>);
  await whenIndexed(editor, body.document.id);
  return { id: body.document.id, ...(await wholeText(guest, body.document.id)) };
}

async function wholeText(visitor: Visitor, id: string): Promise<SourceText> {
  const whole: SourceText = { start: 0, end: 0, text: '', length: 1, places: [] };
  while (whole.end < whole.length) {
    const { status, body } = await visitor.call<SourceText>(
      'GET',
      `/api/documents/${id}/text?at=${whole.end}`,
    );
    expect(status).toBe(200);
    expect(body.start).toBe(whole.end);
    expect(body.text).toHaveLength(body.end - body.start);
    whole.text += body.text;
    whole.places.push(...body.places);
    ({ end: whole.end, length: whole.length } = body);
  }
  return whole;
}

async function predict(
  visitor: Visitor,
  name: string,
  content: string,
  text: string,
): Promise<PredictAnswer> {
  const form = new FormData();
  form.set('file', new File([content], name));
  form.set('text', text);
  const response = await visitor.fetch('POST', '/api/predict', { body: form });
  expect(response.status).toBe(200);
  return (await response.json()) as PredictAnswer;
}

const passageOf = async (visitor: Visitor, { citations }: ChatAnswer) =>
  (await visitor.call<Passage>('GET', citations[0]!.href)).body;

test('a PDF is read page by page, and a citation names its page', async () => {
  const pages = Array.from({ length: 45 }, (_, index) =>
    index === 39
      ? '# Submarine cables\nThe repair vessel for submarine cables is called Aurelia.'
      : `# Chapter ${index + 1}\n${`The text of chapter ${index + 1} is about other things. `.repeat(12)}`,
  );
  const { id, text, places } = await given('cables.pdf', await makePdf(pages));

  expect(places.map(({ page }) => page)).toEqual(pages.map((_, index) => index + 1));
  for (const { start, page } of places.slice(0, 39))
    expect(text.slice(start)).toMatch(new RegExp(`^(# )?Chapter ${page}\\b`));
  const { body } = await guest.call<ChatAnswer>('POST', '/api/chat', {
    text: 'What is the repair vessel for submarine cables called?',
  });
  expect(await passageOf(guest, body)).toMatchObject({ documentId: id, at: { page: 40 } });
  const described = await guest.call<SourceDocument>('GET', `/api/documents/${id}`);
  expect(described.body).toMatchObject({
    id,
    name: 'cables.pdf',
    type: 'pdf',
    pages: 45,
    length: text.length,
    hasFile: true,
    isHandbook: false,
  });
});

test('each row of a CSV file has its number, also in later parts', async () => {
  const rows = Array.from(
    { length: 1500 },
    (_, index) => `P-${index + 2},Widget number ${index + 2},${index}.50`,
  );
  const { text, places } = await given('prices.csv', ['Code,Name,Price', ...rows].join('\n'));

  expect(text.length).toBeGreaterThan(40_000);
  const { start } = places.find(({ row }) => row === 900)!;
  expect(text.slice(start)).toMatch(/^\| P-900 \| Widget number 900 \|/);
  expect(new Set(places.map(({ row }) => row)).size).toBe(1501);
});

test('a workbook has the sheets and row numbers of the file, blank rows included', async () => {
  const { text, places } = await given(
    'stock.xlsx',
    makeXlsx([
      {
        name: 'Shelves',
        rows: [
          ['Shelf', 'Boxes'],
          ['A', 4],
          ['B', 7],
        ],
      },
      {
        name: 'Rooms',
        rows: [['Inventory of rooms'], null, ['Room', 'Area'], ['East', 30], null, ['West', 12]],
      },
    ]),
  );
  const placeOf = (part: string) => {
    const { start: _, ...place } = places.findLast(({ start }) => start <= text.indexOf(part))!;
    return place;
  };

  expect(placeOf('| B |')).toEqual({ sheet: 'Shelves', row: 3 });
  expect(placeOf('Inventory')).toEqual({ sheet: 'Rooms', row: 1 });
  expect(placeOf('| East |')).toEqual({ sheet: 'Rooms', row: 4 });
  expect(placeOf('| West |')).toEqual({ sheet: 'Rooms', row: 6 });
});

test('slides have their numbers', async () => {
  const { text, places } = await given(
    'plan.pptx',
    makePptx([{ title: 'Start' }, { title: 'Costs', items: ['The costs are capped.'] }]),
  );
  const found = places.findLast(({ start }) => start <= text.indexOf('capped'));
  expect(found).toMatchObject({ slide: 2 });
});

test('a text file contains no marks of its own', async () => {
  const { text } = await given(
    'marks.txt',
    'Harmless \ufdd0{"page":3}\ufdd1 words about glaciers and rivers.',
  );
  expect(text).toBe('Harmless {"page":3} words about glaciers and rivers.');
});

test('the original file is returned unchanged, as a download', async () => {
  const content = 'Opening hours of the museum: 9 to 17.';
  const { id } = await given('museum.txt', content);

  const response = await guest.fetch('GET', `/api/documents/${id}/file`);

  expect(response.status).toBe(200);
  expect(await response.text()).toBe(content);
  expect(response.headers.get('Content-Type')).toBe('application/octet-stream');
  expect(response.headers.get('Content-Disposition')).toMatch(/^attachment; filename="museum.txt"/);
  expect(response.headers.get('Content-Security-Policy')).toContain('sandbox');
});

test('a page of the handbook can be read, but has no file to download', async () => {
  const { body } = await guest.call<ChatAnswer>('POST', '/api/chat', {
    text: 'How do I delete a conversation?',
  });
  const { documentId } = await passageOf(guest, body);

  const { body: described } = await guest.call<SourceDocument>('GET', `/api/documents/${documentId}`);
  expect(described).toMatchObject({ isHandbook: true, hasFile: false, type: 'markdown' });
  expect((await wholeText(guest, documentId)).text).toHaveLength(described.length);
  expect((await guest.call('GET', `/api/documents/${documentId}/file`)).status).toBe(404);
});

test('a file of a question is only for its owner, until its record is erased', async () => {
  const owner = createVisitor(api.url);
  const answer = await predict(
    owner,
    'lease.txt',
    'The lease of the boathouse ends in October 2031.',
    'When does the lease of the boathouse end?',
  );
  const { documentId } = await passageOf(owner, answer);
  const paths = ['', '/text', '/file'].map((part) => `/api/documents/${documentId}${part}`);
  const statuses = (visitor: Visitor) =>
    Promise.all(paths.map(async (path) => (await visitor.fetch('GET', path)).status));

  expect(await statuses(owner)).toEqual([200, 200, 200]);
  expect(await statuses(guest)).toEqual([404, 404, 404]);
  expect(await statuses(editor)).toEqual([404, 404, 404]);
  const unknown = await guest.call<ErrorBody>('GET', '/api/documents/0000');
  const strange = await guest.call<ErrorBody>('GET', paths[0]!);
  expect({ ...strange.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });

  await owner.signUp('owner', 'password-2');
  expect(await statuses(owner)).toEqual([200, 200, 200]);
  await owner.call('POST', '/api/delete_by_ids', { ids: [answer.recordId] });
  expect(await statuses(owner)).toEqual([404, 404, 404]);
});

test('a position beyond the text returns its end, and an invalid position is refused', async () => {
  const { id, text } = await given('short.txt', 'A short text about lighthouses.');
  const { body } = await guest.call<SourceText>('GET', `/api/documents/${id}/text?at=999999`);
  expect(body).toMatchObject({ start: 0, end: text.length, text });
  expect((await guest.call('GET', `/api/documents/${id}/text?at=-1`)).status).toBe(400);
});

test('an editor renames a document; its passages get the new title, earlier citations keep theirs', async () => {
  const { id } = await given('a1.txt', 'The ferry to the island of Ruhnu departs at 8:40.');
  const before = await guest.call<ChatAnswer>('POST', '/api/chat', {
    text: 'When does the ferry to Ruhnu depart?',
  });
  const rename = (who: Visitor, title: string) =>
    who.call<{ document: KnowledgeDocumentInfo }>('PATCH', `/api/knowledge/documents/${id}`, { title });

  expect((await rename(guest, 'Ferries')).status).toBe(401);
  expect((await rename(editor, ' ')).status).toBe(400);
  expect((await rename(editor, 'Ferries')).body.document).toMatchObject({ id, title: 'Ferries' });
  expect(await whenIndexed(editor, id)).toMatchObject({ status: 'ready', title: 'Ferries', name: 'a1.txt' });

  const after = await guest.call<ChatAnswer>('POST', '/api/chat', {
    text: 'When does the ferry to Ruhnu depart?',
  });
  expect(after.body.citations[0]!.title).toBe('Ferries');
  expect((await guest.call<{ title: string }>('GET', before.body.citations[0]!.href)).status).toBe(200);
  expect(before.body.citations[0]!.title).not.toBe('Ferries');
});

test('sends parts of a file, as of RFC 9110', async () => {
  const bytes = await makePdf(['The ranges of mountains are described on this page.']);
  const { id } = await given('ranges.pdf', bytes);
  const get = async (headers: Record<string, string>) => {
    const response = await guest.fetch('GET', `/api/documents/${id}/file`, { headers });
    return {
      status: response.status,
      range: response.headers.get('content-range'),
      length: response.headers.get('content-length'),
      etag: response.headers.get('etag') ?? '',
      body: Buffer.from(await response.arrayBuffer()),
    };
  };
  const part = async (start: number, end: number) => ({
    status: 206,
    range: `bytes ${start}-${end - 1}/${bytes.length}`,
    length: String(end - start),
    body: bytes.subarray(start, end),
  });
  const size = bytes.length;

  expect(await get({ Range: 'bytes=0-9' })).toMatchObject(await part(0, 10));
  expect(await get({ Range: 'bytes=100-' })).toMatchObject(await part(100, size));
  expect(await get({ Range: 'bytes=-7' })).toMatchObject(await part(size - 7, size));
  expect(await get({ Range: `bytes=5-${size * 2}` })).toMatchObject(await part(5, size));
  const whole = { status: 200, range: null, length: String(size), body: bytes };
  const { etag, ...first } = await get({});
  expect(first).toEqual(whole);
  for (const range of ['bytes=0-1,5-6', 'bytes=9-3', 'bytes=-', 'lines=0-1', 'bytes=a-b'])
    expect(await get({ Range: range })).toMatchObject(whole);
  expect(await get({ Range: 'bytes=0-9', 'If-Range': etag })).toMatchObject(await part(0, 10));
  expect(await get({ Range: 'bytes=0-9', 'If-Range': '"other"' })).toMatchObject(whole);
  for (const range of [`bytes=${size}-`, 'bytes=-0'])
    expect(await get({ Range: range })).toMatchObject({ status: 416, range: `bytes */${size}` });
});

test('a document cannot be read as a source once its deletion has begun', async () => {
  const { id } = await given('hall.txt', 'The concert hall is open until ten.');
  await api.connection
    .collection<{ _id: string }>('documents')
    .updateOne({ _id: id }, { $set: { deletedAt: new Date() } });

  for (const part of ['', '/text?at=0', '/file'])
    expect((await guest.call('GET', `/api/documents/${id}${part}`)).status).toBe(404);
});

test('a stranger gets no part of a file', async () => {
  const owner = createVisitor(api.url);
  const form = new FormData();
  form.set(
    'file',
    new File([(await makePdf(['The secret meeting is at dawn.'])) as Uint8Array<ArrayBuffer>], 'own.pdf'),
  );
  form.set('text', 'When is the secret meeting?');
  const response = await owner.fetch('POST', '/api/predict', { body: form });
  const { documentId } = await passageOf(owner, (await response.json()) as PredictAnswer);
  const file = `/api/documents/${documentId}/file`;
  const headers = { Range: 'bytes=0-3' };

  expect(await (await owner.fetch('GET', file, { headers })).text()).toBe('%PDF');
  const refused = await guest.fetch('GET', file, { headers });
  expect(refused.status).toBe(404);
  expect(refused.headers.get('content-range')).toBeNull();
});
