import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { openTestExtractor, type TestExtractor } from '../../testing/extract-bytes.ts';
import {
  endlessPdf,
  greyPng,
  makeGif,
  makePdf,
  makePng,
  noisyPng,
  scannedPdf,
} from '../../testing/sample-files.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import type { ExtractorOptions } from './create-extractor.ts';
import { usualLimits } from './limits.ts';
import { isOcrAvailable } from './ocr.ts';
import { startReader } from './start-reader.ts';

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

/** An extractor with default limits, for all tests that do not change them. */
const usual = await openTestExtractor();
/** A PDF that takes about a second to read. */
const longPdf = await pages(300);
afterAll(() => usual.close());

describe('reading', () => {
  test('ends when aborted, and the next file is read', async () => {
    const left = new AbortController();

    const reading = usual.read(longPdf, {
      signal: left.signal,
      onProgress: ({ done }) => done === 3 && left.abort(),
    });

    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    await expect(usual.read('Words.')).resolves.toMatchObject({ text: 'Words.' });
  });

  test('does not start if it was aborted before', async () => {
    await expect(usual.read('Words.', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  test('is abandoned after its time limit, and the process is ended', async () => {
    const folder = await temporaryFolder('reader');
    const path = join(folder, 'file');
    await writeFile(path, longPdf);
    const reader = startReader(usualLimits);
    const job = { path, name: 'file', limits: { ...usualLimits, maxTime: 150 } };
    const reading = reader.read(job, new AbortController().signal, () => undefined);

    try {
      await expect(reading).rejects.toMatchObject({ key: 'unreadable_too_slow' });
      expect(reader.isUsable).toBe(false);
    } finally {
      await reader.end();
      await rm(folder, { recursive: true });
    }
  });

  test('of more files than may wait is refused, and no waiting file is lost', async () => {
    const extractor = await start({ max: 1, maxWaiting: 2 });

    const readings = await Promise.allSettled(
      ['One.', 'Two.', 'Three.', 'Four.'].map((text) => extractor.read(text)),
    );

    expect(readings.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(readings.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 503, details: { retryAfter: 5 } },
    });
  });

  test.each([
    [1, ['a', 'b']],
    [2, ['a', 'b', 'c']],
  ])('at most %d at a time does not make others wait for the long files of %j', async (max, callers) => {
    // The long files are ended by the test: on a busy machine any limit could pass before the small one is read.
    const extractor = await start({ max, turnTime: 3000, limits: { pageTime: 300_000 } });
    const leaving = new AbortController();
    const ended: string[] = [];
    const long = callers.map((caller) =>
      extractor.read(endlessPdf(), { caller, signal: leaving.signal }).catch(({ name }) => ended.push(name)),
    );

    await expect(extractor.read('Words.', { caller: 'small' })).resolves.toMatchObject({ text: 'Words.' });
    expect(ended).toEqual([]);

    leaving.abort();
    await Promise.all(long);
    expect(ended).toEqual(callers.map(() => 'AbortError'));
  });

  test('a waiting file that is aborted leaves the queue', async () => {
    const extractor = await start({ max: 1, maxWaiting: 1 });
    const left = new AbortController();
    const long = extractor.read(await pages(40));
    const waiting = extractor.read('Words.', { signal: left.signal });
    left.abort();

    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await expect(extractor.read('More words.')).resolves.toMatchObject({ text: 'More words.' });
    await expect(long).resolves.toMatchObject({ pages: 40 });
  });

  test('several files concurrently returns the right text for each', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `File ${index}.`);

    const files = await Promise.all(names.map((name) => usual.read(name)));

    expect(files.map(({ text }) => text)).toEqual(names);
  });

  test('ends with the extractor', async () => {
    const extractor = await openTestExtractor();
    const closing = new AbortController();
    const reading = extractor.read(longPdf, { onProgress: () => closing.abort() });
    closing.signal.addEventListener('abort', () => extractor.close());

    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    await expect(extractor.read('Words.')).rejects.toThrow();
  });

  test('starts a new process after an idle one has ended', async () => {
    const extractor = await start({ idleTime: 1 });

    await extractor.read('One.');

    await expect(extractor.read('Two.')).resolves.toMatchObject({ text: 'Two.' });
  });
});

describe('the serving process', () => {
  test('is not blocked while a long document is read', async () => {
    const bytes = await pages(20);
    let isOver = false;
    let turns = 0;
    const others = () => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    others();

    await usual.read(bytes);
    isOver = true;

    // Reading the 20 pages in this process would allow only a few turns each.
    expect(turns).toBeGreaterThan(200);
  });
});

describe('an image', () => {
  const words = '退款会在三个工作日内到账\nPaid within three days';

  test.each([
    ['PNG', () => makePng(700, 200, words)],
    ['GIF', () => makeGif(700, 200, words)],
  ])('as %s has its size and its words', async (_, make) => {
    expect(isOcrAvailable()).toBe(true);
    const percents: number[] = [];

    const image = await usual.read(await make(), { onProgress: ({ done }) => percents.push(done) });

    expect(image).toMatchObject({
      kind: 'image',
      size: { width: 700, height: 200 },
      language: 'zh',
      text: words,
    });
    expect(percents.at(-1)).toBeGreaterThan(50);
  });

  test('without words has an empty text', async () => {
    const shades = Uint8Array.from({ length: 400 * 300 }, (_, at) => 128 + 100 * Math.sin(at / 977));

    await expect(usual.read(greyPng(400, 300, shades))).resolves.toMatchObject({
      kind: 'image',
      text: '',
    });
    await expect(usual.read(makePng(400, 300))).resolves.toMatchObject({ kind: 'image', text: '' });
  });

  test('is still accepted if recognising its words takes too long', async () => {
    const extractor = await start({ limits: { imageTime: 500 } });

    const image = await extractor.read(noisyPng(1000));

    expect(image).toMatchObject({ kind: 'image', text: '', size: { width: 1000, height: 1000 } });
    await expect(extractor.read('Words.')).resolves.toMatchObject({ text: 'Words.' });
  });

  test('within a PDF is read as its page, and a PDF of unreadable images reports that it has no text', async () => {
    const file = await usual.read(await scannedPdf([words, '第二页的文字']));

    expect(file).toMatchObject({ kind: 'pdf', pages: 2, language: 'zh', text: `${words}\n\n第二页的文字` });
    await expect(usual.read(await scannedPdf(['']))).rejects.toMatchObject({ key: 'unreadable_no_text' });
  });
});
