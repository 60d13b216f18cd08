import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { openTestExtractor, type TestExtractor } from '../testing/extract-bytes.ts';
import {
  docxBomb,
  greyPng,
  makeGif,
  makePdf,
  makePng,
  noisyPng,
  pdfBomb,
  pngBomb,
  scannedPdf,
} from '../testing/sample-files.ts';
import type { ExtractorOptions } from './create-extractor.ts';
import { usualLimits } from './limits.ts';
import { isOcrAvailable } from './ocr.ts';
import { startReader } from './start-reader.ts';

jest.setTimeout(120_000);

const open: TestExtractor[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((extractor) => extractor.close()));
});

async function start(options: ExtractorOptions = {}): Promise<TestExtractor> {
  const extractor = await openTestExtractor(options);
  open.push(extractor);
  return extractor;
}

const pages = (count: number) =>
  makePdf(Array.from({ length: count }, (_, page) => `# Page ${page}\n${'Words of this page. '.repeat(60)}`));

describe('reading', () => {
  test('ends when it is not wanted any more, and the next file is read', async () => {
    const extractor = await start();
    const left = new AbortController();
    const bytes = await pages(300);

    const reading = extractor.read(bytes, {
      signal: left.signal,
      onProgress: ({ done }) => done === 3 && left.abort(),
    });

    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    await expect(extractor.read('Words.')).resolves.toMatchObject({ text: 'Words.' });
  });

  test('does not begin when it was not wanted in the first place', async () => {
    const extractor = await start();

    await expect(extractor.read('Words.', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  test('is given up after its time, and the process is gone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reader-'));
    const path = join(folder, 'file');
    await writeFile(path, await pages(1500));
    const reader = startReader(usualLimits);
    const job = { path, name: 'file', limits: { ...usualLimits, maxTime: 300 } };
    const reading = reader.read(job, new AbortController().signal, () => undefined);

    try {
      await expect(reading).rejects.toMatchObject({ key: 'unreadable_too_slow' });
      expect(reader.isSound).toBe(false);
    } finally {
      await reader.end();
      await rm(folder, { recursive: true });
    }
  });

  test('of more files than may wait is refused, and nothing that waits is lost', async () => {
    const extractor = await start({ most: 1, mostWaiting: 2 });

    const readings = await Promise.allSettled(
      ['One.', 'Two.', 'Three.', 'Four.'].map((text) => extractor.read(text)),
    );

    expect(readings.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(readings.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 503, details: { retryAfter: 5 } },
    });
  });

  test('a file that waits and is not wanted any more gives its place up', async () => {
    const extractor = await start({ most: 1, mostWaiting: 1 });
    const left = new AbortController();
    const long = extractor.read(await pages(40));
    const waiting = extractor.read('Words.', { signal: left.signal });
    left.abort();

    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await expect(extractor.read('More words.')).resolves.toMatchObject({ text: 'More words.' });
    await expect(long).resolves.toMatchObject({ pages: 40 });
  });

  test('several files at once gives each its own text', async () => {
    const extractor = await start();
    const names = Array.from({ length: 12 }, (_, index) => `File ${index}.`);

    const files = await Promise.all(names.map((name) => extractor.read(name)));

    expect(files.map(({ text }) => text)).toEqual(names);
  });

  test('ends with the extractor', async () => {
    const extractor = await openTestExtractor();
    const closing = new AbortController();
    const reading = extractor.read(await pages(300), { onProgress: () => closing.abort() });
    closing.signal.addEventListener('abort', () => extractor.close());

    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    await expect(extractor.read('Words.')).rejects.toThrow();
  });

  test('needs a new process after an idle one has ended', async () => {
    const extractor = await start({ idleTime: 1 });

    await extractor.read('One.');

    await expect(extractor.read('Two.')).resolves.toMatchObject({ text: 'Two.' });
  });
});

describe('the process that serves', () => {
  test('is not held up by a document of 100 pages', async () => {
    const extractor = await start();
    const bytes = await pages(100);
    // In time of its own: what other work on the machine takes from it is not the reader's doing.
    const before = process.threadCpuUsage();

    await extractor.read(bytes);

    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(250);
  });

  test('has no more memory and no more files after 50 hostile files', async () => {
    const extractor = await start({ limits: { maxMemoryMb: 400, maxHeapMb: 100 } });
    const hostile = [
      docxBomb(1e9),
      pngBomb(50_000, 50_000),
      Buffer.from('%PDF-1.7\n1 0 obj\n'),
      pdfBomb(1e9),
    ];
    const memory = () => process.memoryUsage().arrayBuffers + process.memoryUsage().external;
    const before = memory();

    for (let round = 0; round < 50; round += 1) {
      // The one that has to be killed takes a second, so it comes seldom.
      const bytes = hostile[round % 10 === 9 ? 3 : round % 3]!;
      await expect(extractor.read(bytes)).rejects.toMatchObject({ name: 'ApiError' });
    }

    expect(memory() - before).toBeLessThan(32 * 1024 * 1024);
    expect(await readdir(extractor.folder)).toEqual([]);
  });
});

describe('an image', () => {
  const words = '退款会在三个工作日内到账\nPaid within three days';

  test.each([
    ['PNG', () => makePng(700, 200, words)],
    ['GIF', () => makeGif(700, 200, words)],
  ])('as %s has its size and its words', async (_, make) => {
    expect(isOcrAvailable()).toBe(true);
    const extractor = await start();
    const percents: number[] = [];

    const image = await extractor.read(await make(), { onProgress: ({ done }) => percents.push(done) });

    expect(image).toMatchObject({
      kind: 'image',
      size: { width: 700, height: 200 },
      language: 'zh',
      text: words,
    });
    expect(percents.at(-1)).toBeGreaterThan(50);
  });

  test('without words has none', async () => {
    const extractor = await start();
    const shades = Uint8Array.from({ length: 400 * 300 }, (_, at) => 128 + 100 * Math.sin(at / 977));

    await expect(extractor.read(greyPng(400, 300, shades))).resolves.toMatchObject({
      kind: 'image',
      text: '',
    });
    await expect(extractor.read(makePng(400, 300))).resolves.toMatchObject({ kind: 'image', text: '' });
  });

  test('is one all the same when looking for words takes too long', async () => {
    const extractor = await start({ limits: { imageTime: 1500 } });

    const image = await extractor.read(noisyPng(2000));

    expect(image).toMatchObject({ kind: 'image', text: '', size: { width: 2000, height: 2000 } });
    await expect(extractor.read('Words.')).resolves.toMatchObject({ text: 'Words.' });
  });

  test('within a PDF is read as its page, and a PDF of pictures alone says that it has no text', async () => {
    const extractor = await start();

    const file = await extractor.read(await scannedPdf([words, '第二页的文字']));

    expect(file).toMatchObject({ kind: 'pdf', pages: 2, language: 'zh', text: `${words}\n\n第二页的文字` });
    await expect(extractor.read(await scannedPdf(['']))).rejects.toMatchObject({ key: 'unreadable_no_text' });
  });
});
