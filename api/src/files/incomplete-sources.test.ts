import { afterAll, expect, test } from '@jest/globals';
import type { AnswerReason } from '../contract/answers.ts';
import type { ChatAnswer, PredictAnswer } from '../contract/chat.ts';
import type { SourceDocument } from '../contract/documents.ts';
import type { DeskRecord } from '../contract/records.ts';
import { givenDocument } from '../testing/knowledge-calls.ts';
import { damagedPdf } from '../testing/sample-files.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { createVisitor, signedUp, type Visitor } from '../testing/visitor.ts';

const api = await startTestApi({});
const editor = await signedUp(api.url, 'editor', 'password-1');
afterAll(() => api.end());

const notices = [{ code: 'page_damaged', at: { page: 2 }, count: 1 }];
const incompletePdf = (fact: string) => damagedPdf([fact, null, 'The end.']);
const why = async (who: Visitor, recordId: string) =>
  (await who.call<AnswerReason>('GET', `/api/records/${recordId}/why`)).body;

test('parts of a document that could not be read are reported to editors, to readers, and where an answer cites it', async () => {
  const fact = 'The greenhouse lamp burns until eleven.';
  const document = await givenDocument(editor, 'greenhouse.pdf', incompletePdf(fact));
  expect(document).toMatchObject({ status: 'ready', notices });

  const guest = createVisitor(api.url);
  const { body } = await guest.call<ChatAnswer>('POST', '/api/chat', {
    text: 'Until when does the greenhouse lamp burn?',
  });
  expect(body.response).toContain('until eleven');
  expect((await why(guest, body.recordId)).incomplete).toEqual([{ title: document.title, notices }]);
  expect((await guest.call<SourceDocument>('GET', `/api/documents/${document.id}`)).body.notices).toEqual(
    notices,
  );
});

test('parts of a file that could not be read are reported with the file, and once in the explanation of the answer', async () => {
  const guest = createVisitor(api.url);
  const form = new FormData();
  form.set('file', new File([incompletePdf('The aviary gate closes at seven.')], 'aviary.pdf'));
  form.set('text', 'When does the aviary gate close?');
  const response = await guest.fetch('POST', '/api/predict', { body: form });
  const body = (await response.json()) as PredictAnswer;
  expect(body.files[0]).toMatchObject({ name: 'aviary.pdf', notices });
  expect(body.citations).toHaveLength(1);
  const record = await guest.call<DeskRecord>('GET', `/api/records/${body.recordId}`);
  expect(record.body.files[0]!.notices).toEqual(notices);
  expect((await why(guest, body.recordId)).incomplete).toEqual([{ title: 'aviary.pdf', notices }]);
});

test('a complete document has no notices', async () => {
  const document = await givenDocument(editor, 'whole.pdf', damagedPdf(['The whole orchard is open.']));
  expect(document).not.toHaveProperty('notices');
});
