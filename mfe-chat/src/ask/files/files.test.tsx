import { expect, jest, test } from '@jest/globals';
import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UploadRules } from 'api/contract/files';
import { type Answer, type Call, failure } from 'host/stand-ins';
import { articles, field, openChat, type Setting, settle } from '../../testing/open-chat.tsx';
import { conversation, DONE, record } from '../../testing/samples.ts';

const picker = () => document.querySelector<HTMLInputElement>('input[type=file]')!;
const chips = () => within(screen.getByRole('list', { name: '要发送的文件' })).getAllByRole('listitem');
const text = (name: string, content = name) => new File([content], name, { type: 'text/plain' });
const image = (name: string) => new File([name], name, { type: 'image/png' });
const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const ACCEPTED = { recordId: 'r1', conversationId: 'c1', clientId: 'k' };
const NAMED = event('record', ACCEPTED);

/** The whole screen with a /api/predict stream controlled by the test. */
async function openWithPredict(setting: Setting = {}) {
  const uploads: (Call & { answer(text: string): void; refuse(reason: Error): void; form: FormData })[] = [];
  const predict: Answer = (call) =>
    new Promise((answer, refuse) => uploads.push({ ...call, answer, refuse, form: call.body as FormData }));
  const answers = { 'POST /api/predict': predict, ...setting.answers };
  return { uploads, ...(await openChat({ ...setting, answers })) };
}

test('shows attached files with name and size, up to ten and each once', async () => {
  const { user, toasts } = await openWithPredict();
  await user.upload(picker(), [text('合同.txt', 'x'.repeat(4096)), image('票.png')]);
  expect(chips().map((chip) => chip.textContent)).toEqual(['合同.txt4 KB', '票.png7 B']);
  expect(chips()[1]!.querySelector('img')).toHaveAttribute('src', expect.stringMatching(/^blob:/));

  const twelve = Array.from({ length: 12 }, (_, index) => text(`${index}.txt`));
  await user.upload(picker(), twelve.slice(0, 3));
  await user.upload(picker(), twelve.slice(2));
  expect(chips()).toHaveLength(10);
  expect(toasts.at(-1)).toMatchObject({ kind: 'warning', text: '一次最多 10 个文件，有 4 个没有添加' });
});

test('shows at once which files cannot be sent; the others can be sent', async () => {
  const rules: UploadRules = {
    maxFiles: 10,
    maxBytes: 2048,
    freeBytes: 1024,
    endings: ['.txt', '.pdf'],
    refusedTypes: ['video/'],
  };
  const { user, uploads } = await openWithPredict({ answers: { 'GET /api/upload-rules': () => rules } });
  await user.upload(picker(), [
    text('好.txt'),
    text('空.txt', ''),
    new File(['x'], '片.mp4', { type: 'video/mp4' }),
    new File(['MZ\0\0'], '程序.exe'),
    new File(['all: build'], 'Makefile'),
    text('大.txt', 'x'.repeat(2049)),
    text('满.txt', 'x'.repeat(1500)),
  ]);
  await waitFor(() => expect(chips()[3]).toHaveTextContent('不支持这种文件'));
  expect(chips().map((chip) => chip.textContent)).toEqual([
    '好.txt7 B',
    '空.txt空文件',
    '片.mp4不支持这种文件',
    '程序.exe不支持这种文件',
    'Makefile10 B',
    '大.txt合计超过 2 KB',
    '满.txt存储空间只剩 1 KB',
  ]);
  expect(screen.getByRole('alert')).toHaveTextContent(/空\.txt.*片\.mp4.*程序\.exe.*大\.txt.*满\.txt/);
  await user.click(screen.getByRole('button', { name: '发送' }));
  expect(uploads).toEqual([]);
  expect(screen.getByRole('button', { name: '移除 空.txt' })).toHaveFocus();

  for (const name of ['空.txt', '片.mp4', '程序.exe', '大.txt', '满.txt'])
    await user.click(screen.getByRole('button', { name: `移除 ${name}` }));
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(screen.getByRole('button', { name: '发送' }));
  await settle();
  expect(uploads[0]!.form.getAll('file').map((file) => (file as File).name)).toEqual(['好.txt', 'Makefile']);
});

test('shows file problems in the language of the page, and detects an empty file without the server', async () => {
  const { user } = await openChat({ language: 'en' });
  await user.upload(picker(), [text('empty.txt', '')]);
  const list = within(screen.getByRole('list', { name: 'Files to send' }));
  expect(list.getByRole('listitem')).toHaveTextContent('Empty file');
  expect(screen.getByRole('alert')).toHaveTextContent(
    /^These files can't be sent.*empty\.txt \(Empty file\)$/,
  );
});

test('removes a file by button and key, and keeps the focus among the files', async () => {
  const revoke = jest.spyOn(URL, 'revokeObjectURL');
  const { user } = await openWithPredict();
  await user.upload(picker(), [image('a.png'), text('b.txt'), text('c.txt')]);
  await settle();
  const source = chips()[0]!.querySelector('img')!.getAttribute('src')!;
  await user.click(screen.getByRole('button', { name: '移除 a.png' }));
  expect(revoke).toHaveBeenCalledWith(source);
  expect(screen.getByRole('button', { name: '移除 b.txt' })).toHaveFocus();
  await user.keyboard('{Delete}');
  expect(screen.getByRole('button', { name: '移除 c.txt' })).toHaveFocus();
  await user.keyboard('{Backspace}');
  expect(field()).toHaveFocus();
  expect(screen.queryByRole('list', { name: '要发送的文件' })).toBeNull();
});

test('sends files without text, shows upload and reading progress, and streams the answer of the record', async () => {
  const { user, uploads, calls, streams, address } = await openWithPredict({
    records: [record('r1', { question: '总结这些文件', status: 'answering', answer: '' })],
  });
  await user.upload(picker(), [text('合同.pdf'), text('清单.csv')]);
  await user.click(screen.getByRole('button', { name: '发送' }));
  await settle();
  const [upload] = uploads;
  expect(upload).toMatchObject({ params: { progress: 1 }, headers: { Accept: 'text/event-stream' } });
  expect(upload!.form.getAll('file').map((file) => (file as File).name)).toEqual(['合同.pdf', '清单.csv']);
  expect(upload!.form.get('clientId')).toEqual(expect.any(String));
  expect(upload!.form.has('text')).toBe(false);
  expect(screen.queryByRole('list', { name: '要发送的文件' })).toBeNull();

  act(() => upload!.sent!(512 * 1024, 2 * 1024 * 1024));
  expect(screen.getByText('已上传 512 KB / 2 MB，25%')).toBeInTheDocument();
  expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25');
  act(() => upload!.sent!(2 * 1024 * 1024, 2 * 1024 * 1024));
  expect(articles()[1]).toHaveTextContent('正在读取文件');
  expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain('上传完成，正在读取文件');

  const reading = event('reading', { file: 0, files: 2, name: '合同.pdf', done: 12, total: 240 });
  act(() => upload!.received!(reading));
  expect(articles()[1]).toHaveTextContent('正在读取 合同.pdf，第 1 / 2 个文件，第 12 / 240 页');
  const read = event('reading', { file: 1, files: 2, name: '清单.csv', done: 40, total: 40 });
  act(() => upload!.received!(reading + read));
  expect(articles()[1]).toHaveTextContent('已读完，正在整理内容');
  expect(screen.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow');

  act(() => upload!.received!(reading + read + event('record', { ...ACCEPTED, question: '总结这些文件' })));
  await settle();
  expect(upload!.signal!.aborted).toBe(true);
  expect(address()).toBe('/index?c=c1');
  expect(calls.filter(({ url }) => url === '/api/chat/r1')).toMatchObject([
    { method: 'GET', headers: { 'Last-Event-ID': 0 } },
  ]);
  expect(articles()[0]).toHaveTextContent('总结这些文件');
  expect(calls.some(({ url }) => url.endsWith('/records'))).toBe(false);
  streams[0]!.send('delta', { text: '两份' }, 2);
  streams[0]!.send('done', { ...DONE, response: '两份文件' }, 4);
  await settle();
  expect(articles()[1]).toHaveTextContent('两份文件');
  expect(screen.queryByRole('progressbar')).toBeNull();
});

test('cancelling before the record exists removes the question and returns text and files', async () => {
  const { user, uploads, streams } = await openWithPredict();
  await user.upload(picker(), [text('合同.txt')]);
  await user.type(field(), '付款条件{Enter}');
  await settle();
  act(() => uploads[0]!.sent!(1, 10));
  await user.click(within(articles()[1]!).getByRole('button', { name: '取消' }));
  await settle();
  expect(uploads[0]!.signal!.aborted).toBe(true);
  expect(articles()).toEqual([]);
  expect(field()).toHaveValue('付款条件');
  expect(chips()).toHaveLength(1);
  expect(streams).toHaveLength(0);

  // After the record exists, stopping works as for other answers.
  await user.type(field(), '{Enter}');
  await settle();
  act(() => uploads[1]!.received!(NAMED));
  await settle();
  await user.click(screen.getByRole('button', { name: '停止' }));
  expect(field()).toHaveValue('');
  expect(articles()).toHaveLength(2);
});

test.each([
  ['at once', 413, 'too_large', '文件一共不能超过 20 MB'],
  ['at once', 415, 'unsupported_type', '“a.exe” 不是支持的文件类型'],
  ['while it is read', 422, 'unreadable_file', '“a.exe” 已加密'],
])('returns a file that is rejected %s (%i) with the text and the reason', async (when, code, error, msg) => {
  const { user, uploads } = await openWithPredict();
  await user.upload(picker(), [text('a.exe'), text('b.txt')]);
  await user.type(field(), '看看{Enter}');
  await settle();
  if (when === 'at once') uploads[0]!.refuse(failure(code, error, msg));
  else act(() => uploads[0]!.received!(event('error', { code, error, msg, requestId: 'q' })));
  await settle();
  expect(screen.getByRole('alert')).toHaveTextContent(msg);
  expect(articles()).toEqual([]);
  expect(field()).toHaveValue('看看');
  expect(chips()).toHaveLength(2);

  await user.click(screen.getByRole('button', { name: '移除 a.exe' }));
  expect(screen.queryByRole('alert')).toBeNull();
  await user.type(field(), '{Enter}');
  await settle();
  expect(uploads[1]!.form.getAll('file')).toHaveLength(1);
});

test('retries a broken upload automatically and then on request, each time with the same id and files', async () => {
  const { user, uploads } = await openWithPredict();
  await user.upload(picker(), [text('a.txt')]);
  await user.type(field(), '看看{Enter}');
  await settle();
  uploads[0]!.refuse(failure(503, 'unavailable', '连不上', 1));
  await waitFor(() => expect(uploads).toHaveLength(2));
  await waitFor(() => expect(screen.queryByText(/秒后重试/)).toBeNull());
  uploads[1]!.refuse(failure(0, 'offline', '连不上'));
  await user.click(await screen.findByRole('button', { name: '重新发送' }));
  await settle();
  const ids = uploads.map(({ form }) => form.get('clientId'));
  expect(ids).toEqual([ids[0], ids[0], ids[0]]);
  expect(uploads[2]!.form.getAll('file')).toHaveLength(1);
  expect(uploads[2]!.form.get('text')).toBe('看看');
});

test('a question that failed with its files returns to the composer when its conversation is left', async () => {
  const { user, uploads, toasts } = await openWithPredict({
    path: '/index?c=c1',
    conversations: [conversation('c1')],
    records: [record('r1')],
  });
  await user.upload(picker(), [text('a.txt')]);
  await user.type(field(), '看看{Enter}');
  await settle();
  uploads[0]!.refuse(failure(503, 'unavailable', '连不上', 600));
  const notice = (await screen.findByText('连接中断，问题会自动重新发送。')).parentElement!;
  expect(notice).toHaveTextContent(/(600|59\d) 秒后重试/);
  await user.click(within(notice).getByRole('button', { name: '立即重试' }));
  await waitFor(() => expect(uploads).toHaveLength(2));
  uploads[1]!.refuse(failure(0, 'offline', '连不上'));
  await screen.findByRole('button', { name: '重新发送' });

  await user.click(screen.getByRole('button', { name: '新咨询' }));
  await settle();
  expect(screen.queryByRole('list', { name: '要发送的文件' })).toBeNull();
  await user.click(screen.getByRole('link', { name: /title c1/ }));
  await settle();

  expect(chips()).toHaveLength(1);
  expect(field()).toHaveValue('看看');
  expect(toasts).toEqual([]);
});

test('navigation keeps the files; a reload reports that they are lost and keeps the text', async () => {
  const kept = new Map<string, string>();
  const first = await openWithPredict({ kept });
  await first.user.upload(picker(), [text('a.txt')]);
  await first.user.type(field(), '看看{Enter}');
  await settle();
  first.unmount();
  expect(first.uploads[0]!.signal!.aborted).toBe(true);

  const second = await openWithPredict({ kept });
  expect(second.uploads).toHaveLength(0);
  expect(field()).toHaveValue('看看');
  expect(second.toasts.at(-1)).toMatchObject({ text: '页面重新载入过，文件没有保留，请重新添加' });
});

test('leaves a question to the other tab that is sending its files, until that tab is closed', async () => {
  const kept = new Map<string, string>();
  const first = await openWithPredict({ kept });
  await first.user.upload(picker(), [text('a.txt')]);
  await first.user.type(field(), '看看{Enter}');
  await settle();
  first.unmount();
  const [[key, value]] = [...kept].filter(([, json]) => json.includes('"files":1')) as [[string, string]];
  const other = value.replace(/"page":"[^"]+"/, '"page":"other"');
  kept.set(key, other);
  const second = await openWithPredict({ kept });
  expect(field()).toHaveValue('');
  expect(second.toasts).toEqual([]);
  expect(kept.get(key)).toBe(other);
  second.unmount();

  kept.set(key, other.replace(/"at":\d+/, '"at":0'));
  await openWithPredict({ kept });
  expect(field()).toHaveValue('看看');
});

test('a closed page lets the next one report that its files are lost', async () => {
  const { user, kept } = await openWithPredict();
  await user.upload(picker(), [text('a.txt')]);
  await user.type(field(), '看看{Enter}');
  await settle();
  const noted = () => [...kept.values()].find((json) => json.includes('"files":1'));
  expect(noted()).toMatch(/"at":\d{13}/);
  fireEvent(window, new Event('pagehide'));
  expect(noted()).toContain('"at":0');
});

test('a session that ends during an upload keeps text and files for the next sign-in', async () => {
  const { user, uploads, services } = await openWithPredict({ username: 'lin', token: 't1' });
  await user.upload(picker(), [text('a.txt')]);
  await user.type(field(), '看看{Enter}');
  await settle();
  act(() => services.session.forget());
  uploads[0]!.refuse(failure(401, 'session_ended', '登录过期'));
  await settle();
  expect(field()).toHaveValue('');
  expect(screen.queryByRole('list', { name: '要发送的文件' })).toBeNull();

  act(() => services.session.signIn('t2', 'lin'));
  await settle();
  expect(field()).toHaveValue('看看');
  expect(chips()).toHaveLength(1);
  expect(uploads).toHaveLength(1);
});

test('an upload continues after its conversation was left, and is shown on return', async () => {
  const { user, uploads, toasts, streams } = await openWithPredict({
    path: '/index?c=c1',
    conversations: [conversation('c1')],
    records: [record('r0')],
  });
  await user.upload(picker(), [text('a.txt')]);
  await user.type(field(), '看看{Enter}');
  await settle();
  await user.click(screen.getByRole('button', { name: '新咨询' }));
  await settle();
  expect(articles()).toHaveLength(0);
  await user.click(screen.getByRole('link', { name: /title c1/ }));
  await settle();
  expect(articles()).toHaveLength(4);
  expect(field()).toHaveValue('');
  expect(toasts).toEqual([]);
  act(() => uploads[0]!.sent!(1, 4));
  expect(articles()[3]).toHaveTextContent('25%');
  act(() => uploads[0]!.received!(NAMED));
  await settle();
  streams[0]!.send('done', { ...DONE, response: '好了' }, 2);
  await settle();
  expect(articles()[3]).toHaveTextContent('好了');
  expect(uploads).toHaveLength(1);
});

test('signing in moves a guest’s files to the account; signing out leaves them with their owner', async () => {
  const { user, services } = await openWithPredict();
  await user.upload(picker(), [text('a.txt')]);
  act(() => services.session.signIn('t1', 'lin'));
  await settle();
  expect(chips()).toHaveLength(1);
  act(() => services.session.forget());
  await settle();
  expect(screen.queryByRole('list', { name: '要发送的文件' })).toBeNull();
});

test('files of a guest join those of the account, up to ten together', async () => {
  const { user, services } = await openWithPredict();
  const six = (from: string) => Array.from({ length: 6 }, (_, index) => text(`${from} ${index}.txt`));
  act(() => services.session.signIn('t1', 'lin'));
  await user.upload(picker(), six('account'));
  act(() => services.session.forget());
  await settle();
  await user.upload(picker(), six('guest'));
  act(() => services.session.signIn('t2', 'lin'));
  await settle();
  expect(chips()).toHaveLength(10);
  expect(chips()[9]).toHaveTextContent('account 3.txt');
});

test('each conversation has its own files', async () => {
  const { user } = await openWithPredict({ path: '/index?c=c1', records: [record('r1')] });
  await user.upload(picker(), [text('a.txt')]);
  await user.click(screen.getByRole('button', { name: '新咨询' }));
  await settle();
  expect(screen.queryByRole('list', { name: '要发送的文件' })).toBeNull();
});

test('accepts files dropped on the chat screen, and ignores files dropped elsewhere', async () => {
  await openWithPredict();
  const file = text('a.txt');
  const dataTransfer = { types: ['Files'], files: [file], items: [] };
  const log = screen.getByRole('log');
  fireEvent.dragEnter(log, { dataTransfer });
  expect(screen.getByText('松开即可添加文件')).toBeInTheDocument();
  fireEvent.dragLeave(log, { dataTransfer });
  expect(screen.queryByText('松开即可添加文件')).toBeNull();
  fireEvent.dragEnter(log, { dataTransfer });
  fireEvent.drop(screen.getByRole('log'), { dataTransfer });
  expect(screen.queryByText('松开即可添加文件')).toBeNull();
  await settle();
  expect(chips()).toHaveLength(1);

  // A picture of this page.
  fireEvent.dragStart(log, { dataTransfer });
  fireEvent.dragEnter(log, { dataTransfer });
  expect(screen.queryByText('松开即可添加文件')).toBeNull();
  fireEvent.drop(log, { dataTransfer: { ...dataTransfer, files: [text('avatar.svg')] } });
  fireEvent.dragEnd(log, { dataTransfer });
  expect(chips()).toHaveLength(1);

  const beside = createEvent.drop(screen.getByRole('complementary'), { dataTransfer });
  fireEvent(screen.getByRole('complementary'), beside);
  expect(beside.defaultPrevented).toBe(true);
  expect(chips()).toHaveLength(1);
});

test('names pasted pictures, pastes text as text, and leaves other fields alone', async () => {
  await openWithPredict();
  const paste = (target: Element, files: File[], words = '') => {
    const pasted = createEvent.paste(target, { clipboardData: { files, getData: () => words } });
    fireEvent(target, pasted);
    return pasted.defaultPrevented;
  };
  expect(paste(field(), [image('image.png')])).toBe(true);
  expect(paste(field(), [image('image.png')], '表格里的字')).toBe(false);
  expect(paste(field(), [text('清单.csv')], '清单.csv')).toBe(true);
  expect(paste(screen.getByRole('searchbox'), [text('b.txt')])).toBe(false);
  await settle();
  expect(chips().map((chip) => chip.querySelector('span')!.textContent)).toEqual([
    '粘贴的图片 1.png',
    '清单.csv',
  ]);
});

test('text that would make the question too long becomes a file, other text does not', async () => {
  const { toasts } = await openWithPredict();
  const paste = (words: string) => {
    const pasted = createEvent.paste(field(), { clipboardData: { files: [], getData: () => words } });
    fireEvent(field(), pasted);
    return pasted.defaultPrevented;
  };
  expect(paste('字'.repeat(8_000))).toBe(false);
  fireEvent.change(field(), { target: { value: '这是什么？' } });
  expect(paste('字'.repeat(8_000))).toBe(true);
  await settle();
  expect(chips().map((chip) => chip.querySelector('span')!.textContent)).toEqual(['粘贴的文字 1.txt']);
  expect(field()).toHaveValue('这是什么？');
  expect(toasts.at(-1)).toMatchObject({ text: '粘贴的文字超过 8,000 字，已作为文件添加' });
});

test('shows the pictures of a question in a grid and a dialog with keys and buttons', async () => {
  const urls = ['/api/files/f1', '/api/files/f2'];
  const file = (id: string, name: string, kind: string) => ({
    id,
    name,
    kind,
    chars: 0,
    pages: 1,
    url: `/api/files/${id}`,
  });
  const { user, calls } = await openChat({
    path: '/index?c=c1',
    records: [
      record('r1', {
        isImage: true,
        url: urls[0]!,
        imgUrls: urls,
        files: [
          file('f1', '正面.png', 'image'),
          file('f2', '反面.png', 'image'),
          file('f3', '合同.pdf', 'pdf'),
        ],
      }),
    ],
    answers: {
      'GET /api/files/f1': () => new Blob(['1']),
      'GET /api/files/f2': () => new Blob(['2']),
      'GET /api/files/f3': () => new Blob(['3']),
    },
  });
  const grid = screen.getByRole('list', { name: '图片' });
  expect(within(grid).getAllByRole('button')).toHaveLength(2);
  await user.click(within(grid).getByRole('button', { name: '查看图片 正面.png' }));
  await settle();
  const dialog = screen.getByRole('dialog', { name: '查看图片', hidden: true });
  expect(within(dialog).getByAltText('正面.png')).toBeInTheDocument();
  fireEvent.keyDown(dialog, { key: 'ArrowRight' });
  await settle();
  expect(within(dialog).getByAltText('反面.png')).toBeInTheDocument();
  expect(dialog).toHaveTextContent('第 2 / 2 张');
  await user.click(within(dialog).getByRole('button', { name: '上一张', hidden: true }));
  await settle();
  expect(within(dialog).getByAltText('正面.png')).toBeInTheDocument();
  // Opening them again uses the cache.
  expect(calls.filter(({ url }) => url.startsWith('/api/files/'))).toHaveLength(2);

  const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  await user.click(screen.getByRole('button', { name: /^下载\s*合同\.pdf/ }));
  await settle();
  expect(click.mock.contexts[0]).toHaveProperty('download', '合同.pdf');
});

test('says beside a file what could not be read from it, in the language of the page', async () => {
  const file = {
    id: 'f1',
    name: '合同.pdf',
    kind: 'pdf',
    chars: 900,
    pages: 9,
    url: '/api/files/f1',
    notices: [{ code: 'picture_not_read' as const, at: { page: 2 }, count: 1 }],
  };
  const { user, services } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { files: [file] })],
  });

  await user.click(screen.getByText('部分内容没有读出'));
  expect(screen.getByText('第 2 页：图片里的文字没有识别出来')).toBeVisible();
  act(() => services.i18n.language$.next('en'));
  expect(screen.getByText('Page 2: Text in a picture was not recognised')).toBeVisible();
});

test('reports a picture that cannot be loaded and offers a retry', async () => {
  let isDown = true;
  const { user } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { isImage: true, url: '/api/files/f1', imgUrls: ['/api/files/f1'] })],
    answers: {
      'GET /api/files/f1': () => {
        if (isDown) throw failure(0, 'offline', '连不上');
        return new Blob(['1']);
      },
    },
  });
  isDown = false;
  await user.click(screen.getByRole('button', { name: '图片 1 没能载入，再试一次' }));
  await settle();
  expect(screen.getByRole('button', { name: '查看图片 图片 1' }).querySelector('img')).toBeInTheDocument();
});

test('shows no hint of a new version while files are attached', async () => {
  const { user, isHeld$ } = await openWithPredict();
  await user.upload(picker(), [text('合同.txt')]);
  expect(isHeld$.value).toBe(true);
  await user.click(within(chips()[0]!).getByRole('button'));
  expect(isHeld$.value).toBe(false);
});
